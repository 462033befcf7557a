import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const query = 'subscription Follow { tagChanged { event entity { attributes { name } } } }'

/** The client graphql-sse follows changes of the sample app, over connections that are cut. */
export async function subscriptions({ address }, check) {
  const { createClient } = await import('graphql-sse')
  const way = await cuttable(new URL(address))
  const make = async name => {
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'mutation ($name: String!) { createTag(data: { name: $name }) { data { id } } }',
        variables: { name },
      }),
    })
    assert.equal((await response.json()).errors, undefined)
  }
  const told = name => ({ data: { tagChanged: { event: 'entry.create', entity: { attributes: { name } } } } })
  /** A subscription: its events one by one, and its connections. */
  const follow = (options = {}) => {
    const connections = queue()
    const changes = queue()
    const on = { connected: isAgain => connections.add(isAgain === true) }
    const client = createClient({ url: `${way.address}/graphql`, retry: async () => {}, on, ...options })
    const end = client.subscribe({ query }, { next: changes.add, error: changes.fail, complete: changes.close })
    return { connections, changes, end, client }
  }

  await check('graphql-sse: a change is told, and none after the client has left', async () => {
    const { connections, changes, end } = follow()
    assert.equal(await connections.next(), false)
    await make('told by events')
    assert.deepEqual(await changes.next(), told('told by events'))
    const left = way.left()
    end()
    await left
    await make('told to none')
    assert.equal(changes.size, 0)
  })

  await check('graphql-sse: a connection that is cut is made again', async () => {
    const { connections, changes, end } = follow()
    await connections.next()
    way.cut()
    assert.equal(await connections.next(), true)
    await make('told again')
    assert.deepEqual(await changes.next(), told('told again'))
    end()
  })

  await check('graphql-sse: queries and errors come as events', async () => {
    const { client } = follow({ lazy: true })
    const [answer] = await all(client.iterate({ query: '{ tags(pagination: { limit: 1 }) { data { id } } }' }))
    assert.equal(answer.data.tags.data.length, 1)
    const [refused] = await all(client.iterate({ query: 'subscription { nosuch { event } }' }))
    assert.match(refused.errors[0].message, /nosuch/)
  })

  await check('graphql-sse: one connection for all operations is refused', async () => {
    const client = createClient({ url: `${way.address}/graphql`, singleConnection: true, retryAttempts: 0 })
    await assert.rejects(all(client.iterate({ query })), /405|Method Not Allowed/)
    client.dispose()
  })
  way.close()
}

async function all(answers) {
  const found = []
  for await (const answer of answers) found.push(answer)
  return found
}

/** Values in the order in which they arrive. */
function queue() {
  const values = []
  let arrived = () => {}
  const add = value => {
    values.push(Promise.resolve(value))
    arrived()
  }
  const fail = error => {
    const failed = Promise.reject(error)
    failed.catch(() => {})
    values.push(failed)
    arrived()
  }
  return {
    add,
    fail,
    close: () => {},
    get size() {
      return values.length
    },
    async next() {
      while (values.length === 0)
        await new Promise(resolve => {
          arrived = resolve
        })
      return values.shift()
    },
  }
}

/** A way to a server whose connections can be cut. */
async function cuttable({ hostname, port }) {
  const open = new Set()
  const server = createServer(socket => {
    const far = connect(Number(port), hostname)
    open.add(socket)
    for (const one of [socket, far]) one.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      far.destroy()
      if (open.size === 0) server.emit('left')
    })
    far.on('close', () => socket.destroy())
    socket.pipe(far).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    cut,
    /** Resolves once no client is connected. */
    left: () => once(server, 'left'),
    close: () => {
      cut()
      server.close()
    },
  }
}
