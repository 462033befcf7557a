import type { Duplex } from 'node:stream'
import { definePlugin, type Host } from '../../../core/index.js'

/** Pages that are told at once when something is liked: on a connection of their own, in a protocol of one line. */
export const liveLikes = definePlugin({
  name: 'live-likes',
  register({ server, readBody }: Host) {
    const pages = new Set<Duplex>()
    server.on('upgrade', ({ url }, socket: Duplex) => {
      if (url !== '/live-likes') return
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: likes\r\n\r\n')
      pages.add(socket)
      socket.once('close', () => pages.delete(socket))
    })
    return { pages, readBody }
  },
  middleware: [
    {
      before: 'routing',
      run:
        ({ pages, readBody }) =>
        async (ctx, next) => {
          // The route that takes the body finds it read.
          const body = ctx.method === 'POST' ? ((await readBody(ctx)) as { data?: { likes?: unknown } }) : undefined
          await next()
          if (ctx.status === 200 && body?.data?.likes) for (const page of pages) page.write(`${ctx.path}\n`)
        },
    },
  ],
})
