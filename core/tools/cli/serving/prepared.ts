import { once } from 'node:events'

/**
 * Waits to be told to serve, with everything in memory that no app decides: the modules of the server and of its plugins,
 * and the validators, which a first boot compiles. Nothing of the app is read before, since it may change until then.
 */
export async function waitPrepared(): Promise<void> {
  const told = once(process, 'message')
  // A message that arrives before there is a listener is lost.
  process.send?.('listens')
  // What cannot be prepared is found out, and told, by the start itself.
  await Promise.allSettled([import('./serve.js'), pluginsOfServer(), emptyApp()])
  await told
}

const pluginsOfServer = async () => (await import('../../../plugin/find.js')).builtInPlugins()

async function emptyApp(): Promise<void> {
  const { createTestApp } = await import('../../../test-app.js')
  const app = await createTestApp({ types: { any: { attributes: { text: { type: 'string' } } } } })
  await app.inject('/api/anys')
  await app.close()
}
