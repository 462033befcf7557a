// The calls of every generated client, sent with plain fetch.

export const generated = ['openapi-fetch', 'hey-api', 'orval']

const json = { 'content-type': 'application/json' }

async function outcome(request) {
  const response = await request
  return { status: response.status, body: await response.json() }
}

export function asked(address, token) {
  const get = path => () => outcome(fetch(address + path))
  const post = (path, body, headers = json) => outcome(fetch(address + path, { method: 'POST', headers, body }))
  return {
    filtered: get(
      '/api/articles?filters[author][articles][tags][name][$containsi]=BREAD&fields[0]=title&sort[0]=title:asc&pagination[pageSize]=3',
    ),
    populated: get(
      '/api/articles/1?fields[0]=title&populate[author][fields][0]=name&populate[tags][sort][0]=name:asc&populate[blocks][on][blocks.quote][fields][0]=text',
    ),
    created: () => post('/api/tags', JSON.stringify({ data: { name: 'made by a client' } })),
    uploaded: () => {
      const form = new FormData()
      form.append('files', new Blob(['some text'], { type: 'text/plain' }), 'note.txt')
      return post('/api/upload', form, { authorization: `Bearer ${token}` })
    },
    refused: () => post('/api/tags', JSON.stringify({ data: { name: null } })),
    forbidden: () => post('/api/authors', JSON.stringify({ data: { name: 'Fay' } })),
    missing: get('/api/articles/999999'),
  }
}
