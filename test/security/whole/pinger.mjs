import { Agent, get } from 'node:http'

/** Another client, in a process of its own: sends one cheap request after the other, and reports the longest time. */
const [url] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let worst = 0
let failed = ''
let marks = 0
let wake = () => undefined

const ping = () =>
  new Promise(resolve => {
    const begun = performance.now()
    const done = problem => {
      worst = Math.max(worst, performance.now() - begun)
      failed ||= problem
      resolve()
    }
    const ask = () => {
      const request = get(url, { agent }, response => {
        response.resume()
        response.on('end', () => done(response.statusCode === 200 ? '' : `status ${response.statusCode}`))
      })
      // A connection that was idle too long may be closed by the server at the moment in which it is used again.
      request.on('error', error => (request.reusedSocket && error.code === 'ECONNRESET' ? ask() : done(error.message)))
    }
    ask()
  })

process.on('message', () => {
  marks += 1
  wake()
})
process.on('disconnect', () => process.exit())
for (;;) {
  await ping()
  // The reply includes work that was running when the question came.
  for (; marks > 0; marks -= 1) {
    process.send({ worst, failed })
    worst = 0
    failed = ''
  }
  // A question does not wait.
  await new Promise(resolve => {
    wake = resolve
    setTimeout(resolve, 20)
  })
}
