/**
 * Asks every server the same and says where an answer differs from the first server's; an empty list means that all agree.
 * Strapi 4 is compared without the translations that an entry lists, which it does not send.
 */
export async function verify(servers, forms, numbers) {
  const complaints = []
  for (const { id, form, requests } of forms) {
    // The mixed form repeats the requests of others, and the times of its writes differ between servers.
    if (form === 'mixed') continue
    for (const request of sample(requests, form === 'write' ? 3 : 20)) {
      const n = numbers.take(1)
      const answers = await Promise.all(servers.map(server => ask(server, request, n)))
      const label = `${id} ${form}: ${request.method} ${request.path.replace('{n}', n)}`
      answers.forEach((answer, k) => {
        const name = servers[k].name
        if (answer.status !== 200)
          complaints.push(
            `${label}\n    ${name} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 400)}`,
          )
        const like = name === 'strapi' || servers[0].name === 'strapi' ? withoutTranslations : body => body
        const difference = k && firstDifference(like(answers[0].body), like(answer.body))
        if (difference) complaints.push(`${label}\n    ${name} differs from ${servers[0].name} at ${difference}`)
      })
    }
  }
  return complaints
}

const withoutTranslations = body =>
  JSON.parse(JSON.stringify(body), (key, value) => (key === 'meta' && value?.availableLocales ? undefined : value))

/** At most `count` of a list, spread over it. */
const sample = (list, count) => list.filter((_, k) => k % Math.ceil(list.length / count) === 0)

async function ask({ url }, { method, path, body }, n) {
  const headers = body && { 'content-type': 'application/json' }
  const answer = await read(
    await fetch(url + path.replace('{n}', n), { method, headers, body: body?.replace('{n}', n) }),
  )
  if (method === 'GET' || answer.status !== 200) return answer
  // A write is compared by its result too: its relations are read back, and its times differ from server to server. Ids
  // of the data have no gaps, so the entry is the page of one with its own number.
  const relations = 'populate[0]=author&populate[1]=category&populate[2]=tags'
  const after = `${url}/api/articles?${relations}&pagination[page]=${answer.body.data.id}&pagination[pageSize]=1`
  const times = (key, value) => (key === 'createdAt' || key === 'updatedAt' ? undefined : value)
  const stored = await read(await fetch(after))
  return {
    status: stored.status,
    body: JSON.parse(JSON.stringify({ answer: answer.body, stored: stored.body }, times)),
  }
}

async function read(response) {
  const text = await response.text()
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch {
    return { status: response.status, body: text }
  }
}

/** The path of the first place where two JSON values differ, with both values; the order of keys does not matter. */
function firstDifference(a, b, path = '$') {
  if (Object.is(a, b)) return undefined
  const nested = a && b && typeof a === 'object' && typeof b === 'object' && Array.isArray(a) === Array.isArray(b)
  if (!nested) return `${path}: ${short(b)} instead of ${short(a)}`
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const difference = firstDifference(a[key], b[key], `${path}.${key}`)
    if (difference) return difference
  }
  return undefined
}
const short = value => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 120))
