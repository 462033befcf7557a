import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Body, contract, refused } from '../../support/contract.js'
import { account, administration, asUser, fieldError, login, plainError, roleUid, userUid, world } from './people.js'

const names = ['id', 'username', 'email', 'provider', 'confirmed', 'blocked', 'createdAt', 'updatedAt']
const people = {
  roles: { editor: administration, clerk: ['find', 'create', 'update'].map(action => `${userUid}.${action}`) },
  accounts: { alice: {}, eddie: { role: 'editor' }, bob: { blocked: true }, clara: { role: 'clerk' } },
}
const editor = asUser(2)
const board = {
  kind: 'collectionType',
  collectionName: 'boards',
  info: { singularName: 'board', pluralName: 'boards', displayName: 'Board' },
  attributes: {
    name: { type: 'string' },
    open: { type: 'relation', relation: 'manyToOne', target: roleUid },
    subject: { type: 'relation', relation: 'morphToOne' },
  },
} as const
const usernames = (body: Body) => body.map(({ username }: Body) => username)

for (const dialect of ['spec', 'strapi4'] as const)
  contract(`GET /users in the dialect ${dialect}`, world({ ...people, rest: { dialect } }), api => {
    const get = (path: string, headers = editor) => api.get(path, headers)

    it('is a plain list of plain objects', async () => {
      const { status, body } = await get('/users')
      assert.equal(status, 200)
      assert.equal(body.length, 4)
      assert.deepEqual(Object.keys(body[0]), names)
    })

    const lists: [string, string, string[]][] = [
      ['filters', '?filters[username][$contains]=a&sort=username', ['alice', 'clara']],
      ['sort', '?sort=username:desc', ['eddie', 'clara', 'bob', 'alice']],
      ['filters through the role', '?filters[role][type]=editor', ['eddie']],
      ['start and limit', '?sort=id&start=1&limit=2', ['eddie', 'bob']],
      ['limit', '?sort=id:desc&limit=1', ['clara']],
    ]
    for (const [says, query, expected] of lists)
      it(`takes ${says}: ${query}`, async () => {
        const { status, body, text } = await get(`/users${query}`)
        assert.equal(status, 200, text)
        assert.deepEqual(usernames(body), expected)
      })

    it('takes fields and populate', async () => {
      const { body } = await get('/users?fields[0]=username&populate=role&sort=id')
      const { role, ...user } = body[0]
      assert.deepEqual(user, { id: 1, username: 'alice' })
      assert.equal(role.type, 'authenticated')
      assert.deepEqual(Object.keys(role), ['id', 'name', 'description', 'type', 'createdAt', 'updatedAt'])
    })

    for (const query of [
      ...['filters[password][$startsWith]=$2', 'filters[resetPasswordToken][$notNull]=true', 'sort=password'],
      ...[
        'fields[0]=password',
        'fields[0]=confirmationToken',
        'filters[confirmationToken]=x',
        'sort=resetPasswordToken',
      ],
      'filters[$or][0][role][users][password][$null]=false',
    ])
      it(`answers secrets like what does not exist: ${query}`, async () => {
        const answer = await get(`/users?${query}`)
        assert.equal(answer.status, 400)
        const name = /password|resetPasswordToken|confirmationToken/.exec(query)?.[0] ?? ''
        const unknown = await get(`/users?${query.replace(name, 'nosuch')}`)
        assert.equal(answer.text.replaceAll(name, 'nosuch'), unknown.text)
      })

    it('reaches a role only where the caller may find roles', async () => {
      const clerk = asUser(4)
      const shown = await get('/users?populate=role&fields[0]=username&sort=id', clerk)
      assert.deepEqual(shown.body[0], { id: 1, username: 'alice' })
      for (const query of ['filters[role][type]=editor', 'sort=role.type'])
        assert.equal((await get(`/users?${query}`, clerk)).status, 400)
    })

    it('counts', async () => {
      assert.deepEqual((await get('/users/count')).body, 4)
      assert.deepEqual((await get('/users/count?filters[username][$contains]=a')).body, 2)
    })

    it('by id is a plain object, and 204 where there is none', async () => {
      const { body } = await get('/users/1')
      assert.deepEqual(Object.keys(body), names)
      assert.deepEqual((await get('/users/1?fields[0]=username')).body, { id: 1, username: 'alice' })
      for (const id of ['9999', 'abc', '0', '1e3', '99999999999999999999']) {
        const { status, text } = await get(`/users/${id}`)
        assert.deepEqual([status, text], [204, ''])
      }
    })

    it('knows who asks', async () => {
      assert.equal((await get('/users/me', asUser(1))).body.username, 'alice')
      assert.deepEqual((await get('/users/me?fields[0]=username')).body, { id: 2, username: 'eddie' })
      assert.equal((await get('/users/me?populate=role')).body.role.type, 'editor')
      assert.equal('role' in (await get('/users/me?populate=role', asUser(1))).body, false)
      assert.equal('role' in (await get('/users/me?populate=*', asUser(1))).body, false)
    })

    it('is closed to who was not granted it', async () => {
      for (const path of ['/users', '/users/1', '/users/2', '/users/count']) {
        assert.equal((await api.get(path)).status, 403)
        assert.equal((await get(path, asUser(1))).status, 403)
      }
    })
  })

for (const dialect of ['spec', 'strapi4'] as const)
  contract(
    `the accounts of a role in the dialect ${dialect}`,
    world({
      ...people,
      types: { board },
      rest: { dialect },
      roles: { ...people.roles, editor: [...administration, 'api::board.board.find', 'api::board.board.create'] },
      rows: async app => {
        const { id } = (await app.entries(roleUid).first({ where: { type: { $eq: 'editor' } } })) ?? {}
        await app.entries('api::board.board').create({ name: 'notices', open: id, subject: { id, __type: roleUid } })
      },
    }),
    api => {
      for (const path of [
        '/users?populate[role][populate]=users',
        '/users?populate[role][populate]=*',
        '/users?populate[role][populate][users][fields]=username',
        '/users?populate[role][populate][users][populate][role][populate]=users',
        '/users?populate=role.users',
        '/users/2?populate[role][populate][0]=users',
        '/users/me?populate[role][populate]=users',
        '/boards?populate[open][populate]=users',
        '/boards?populate[open][populate]=*&populate[subject][populate]=*',
        `/boards?populate[subject][on][${roleUid}][populate]=users`,
      ])
        it(`are in no response: ${path}`, async () => {
          const { status, text } = await api.get(path, editor)
          assert.equal(status, 200, text)
          assert.match(text, /"type":"(authenticated|public|editor)"/)
          assert.doesNotMatch(text, /"users"/)
        })

      it('are not in the response of a write either', async () => {
        const path = '/boards?populate[open][populate]=users'
        const { body } = await api.get('/users/me?populate=role', editor)
        const { status, text } = await api.send('POST', path, { data: { name: 'x', open: body.role.id } }, editor)
        assert.equal(status, 200, text)
        assert.match(text, /"open":\{.*"type":"editor"/)
        assert.doesNotMatch(text, /"users"/)
      })

      it('can be filtered and sorted by, as before', async () => {
        const { body } = await api.get('/users?filters[role][users][username]=eddie&sort=role.users.username', editor)
        assert.deepEqual(usernames(body), ['eddie'])
      })
    },
  )

contract('pages of GET /users', world({ ...people, rest: { maxLimit: 2, defaultLimit: 1 } }), api => {
  it('are limited as all lists are', async () => {
    assert.equal((await api.get('/users', editor)).body.length, 1)
    assert.equal((await api.get('/users?limit=100', editor)).body.length, 2)
    assert.equal((await api.get('/users?pagination[pageSize]=2', editor)).body.length, 2)
    for (const query of ['limit=0', 'start=-1', 'pagination[page]=0'])
      assert.equal((await api.get(`/users?${query}`, editor)).status, 400, query)
  })
})

contract(
  'pages of GET /users in the older dialect',
  world({ ...people, rest: { dialect: 'strapi4', maxLimit: 2 } }),
  api => {
    it('do not exist unless start and limit ask for them', async () => {
      assert.equal((await api.get('/users', editor)).body.length, 4)
      assert.equal((await api.get('/users?pagination[pageSize]=1', editor)).body.length, 4)
      assert.equal((await api.get('/users?limit=3', editor)).body.length, 3)
    })
  },
)

contract('writing accounts', world(people), api => {
  const send = (method: string, path: string, body?: unknown, headers = editor) => api.send(method, path, body, headers)
  const roleId = async (type: string) =>
    (await api.app.entries('plugin::users-permissions.role').first({ where: { type: { $eq: type } } }))?.id as number
  const newUser = async (name: string, more: object = {}) => ({
    ...{ username: name, email: `${name}@example.test`, password: 'secret-1', role: await roleId('authenticated') },
    ...more,
  })

  it('POST makes one with a role, and answers 201', async () => {
    const { status, body } = await send('POST', '/users', await newUser('u1x', { email: 'U1@Example.test' }))
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), [...names, 'role'])
    const { email, provider, confirmed, blocked, role } = body
    assert.deepEqual([email, provider, confirmed, blocked], ['u1@example.test', 'local', false, false])
    assert.equal(role.type, 'authenticated')
    assert.equal((await login(api, 'u1x', 'secret-1')).status, 200)
  })

  const application = (message: string) => plainError(400, 'ApplicationError', message)
  const refusals: [string, object, unknown][] = [
    [
      'a name that is taken',
      { username: 'alice' },
      application('username must be unique; another entry has this value'),
    ],
    ['an address that is taken', { email: 'Alice@example.test' }, application('Email already taken')],
    ['a short name', { username: 'u' }, application('username must be at least 3 characters')],
    [
      'a role that does not exist',
      { role: 99 },
      application('role names an entry of plugin::users-permissions.role that does not exist or may not be seen: 99'),
    ],
    ['no role', { role: undefined }, fieldError('role', 'role is required')],
    ['a wrong address', { email: 'bad' }, fieldError('email', 'email must be a valid email')],
    ['two roles', { role: [1, 2] }, fieldError('role', 'role must be the id of one role')],
    ['a list without a role', { role: { connect: [] } }, fieldError('role', 'role must be the id of one role')],
  ]
  for (const [says, more, expected] of refusals)
    it(`POST refuses ${says}`, async () => {
      const { status, body } = await send('POST', '/users', await newUser('fresh', more))
      assert.equal(status, 400)
      assert.deepEqual(body, expected)
    })

  it('POST names what is missing in the order of Strapi 4', async () => {
    const { body } = await send('POST', '/users', {})
    assert.deepEqual(
      body.error.details.errors.map(({ path: [name] }: Body) => name),
      ['email', 'username', 'password', 'role'],
    )
  })

  it('takes confirmed and blocked, and nothing that is not said by requests', async () => {
    const { body } = await send(
      'POST',
      '/users',
      await newUser('massive', {
        ...{ id: 4711, confirmed: true, blocked: true, provider: 'github', createdBy: 1, createdAt: '2020-01-01' },
        ...{ resetPasswordToken: 'mine', confirmationToken: 'mine' },
      }),
    )
    assert.ok(body.id < 100)
    assert.deepEqual([body.confirmed, body.blocked, body.provider], [true, true, 'local'])
    await send('PUT', `/users/${body.id}`, { id: 1, provider: 'github', resetPasswordToken: 'mine', createdBy: 1 })
    const { sql, bindings } = api.app.store
      .knex('up_users')
      .select('provider', 'reset_password_token', 'confirmation_token', 'created_by_id')
      .where({ id: body.id })
      .toSQL()
      .toNative()
    const rows = await api.app.store.reader.all(sql, bindings)
    assert.deepEqual([...(rows[0] ?? [])], ['local', null, null, null])
  })

  it('PUT changes what is sent, and answers with the role', async () => {
    const id = await account(api.app, 'changed')
    const { status, body } = await send('PUT', `/users/${id}`, { username: 'changed2', email: 'CHANGED2@example.test' })
    assert.equal(status, 200)
    assert.deepEqual(
      [body.username, body.email, body.role.type],
      ['changed2', 'changed2@example.test', 'authenticated'],
    )
    assert.equal((await login(api, 'changed2@example.test', 'changed-pass-1')).status, 200)
    assert.equal((await send('PUT', `/users/${id}`, {})).body.username, 'changed2')
    assert.equal((await send('PUT', `/users/${id}`, { email: 'changed2@example.test' })).status, 200)
    assert.equal((await send('PUT', `/users/${id}`, { role: await roleId('editor') })).body.role.type, 'editor')
  })

  const changes: [string, object, unknown][] = [
    ['a name that is taken', { username: 'eddie' }, application('Username already taken')],
    ['an address that is taken', { email: 'Eddie@example.test' }, application('Email already taken')],
    ['a short password', { password: 'x' }, fieldError('password', 'password must be at least 6 characters')],
    ['a word for a boolean', { blocked: 'x' }, fieldError('blocked', 'blocked must be true or false')],
    ['no role', { role: null }, fieldError('role', 'role must be the id of one role')],
    ['taking the role away', { role: { disconnect: [1] } }, fieldError('role', 'role must be the id of one role')],
  ]
  for (const [says, more, expected] of changes)
    it(`PUT refuses ${says}`, async () => {
      const { status, body } = await send('PUT', '/users/1', more)
      assert.equal(status, 400)
      assert.deepEqual(body, expected)
    })

  it('PUT of no one is a 404, DELETE of no one a 204', async () => {
    for (const id of ['9999', 'abc']) {
      refused(await send('PUT', `/users/${id}`, { username: 'zzz' }), { status: 404, message: 'User not found' })
      assert.equal((await send('DELETE', `/users/${id}`)).status, 204)
    }
  })

  it('DELETE answers with the account as it was', async () => {
    const id = await account(api.app, 'leaving')
    const { status, body } = await send('DELETE', `/users/${id}`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), names)
    assert.equal((await send('GET', `/users/${id}`)).status, 204)
  })

  it('is closed to who was not granted it, for the own account too', async () => {
    for (const [method, path] of [
      ['POST', '/users'],
      ['PUT', '/users/1'],
      ['PUT', '/users/2'],
      ['DELETE', '/users/1'],
      ['DELETE', '/users/2'],
    ] as const)
      for (const headers of [asUser(1), {}])
        assert.equal((await api.send(method, path, { username: 'hacked' }, headers)).status, 403)
    assert.equal((await api.get('/users/1', editor)).body.username, 'alice')
  })

  it('who may not find roles cannot choose one', async () => {
    const clerk = asUser(4)
    const editor = { role: await roleId('editor') }
    const bold = await send('POST', '/users', await newUser('bold', editor), clerk)
    assert.equal(bold.status, 400)
    assert.match(bold.body.error.message, /^role is not an attribute of plugin::users-permissions\.user /)
    const made = await send('POST', '/users', await newUser('modest', { role: undefined }), clerk)
    assert.equal(made.status, 201, made.text)
    assert.equal((await send('PUT', `/users/${made.body.id}`, editor, clerk)).status, 400)
    assert.equal((await send('GET', `/users/${made.body.id}?populate=role`)).body.role.type, 'authenticated')
  })
})

contract(
  'accounts that people may change themselves',
  world({
    permissions: {
      roles: {
        authenticated: {
          [userUid]: {
            me: true,
            find: { id: { $eq: '$caller.id' } },
            findOne: { id: { $eq: '$caller.id' } },
            update: { id: { $eq: '$caller.id' } },
            count: { id: { $eq: '$caller.id' } },
            destroy: { id: { $eq: '$caller.id' } },
          },
          'plugin::users-permissions.role': ['find'],
        },
        editor: { inherits: 'authenticated' },
      },
    },
    accounts: { alice: {}, bob: {} },
  }),
  api => {
    const alice = asUser(1)

    it('are their own and no one else’s', async () => {
      assert.deepEqual(usernames((await api.get('/users', alice)).body), ['alice'])
      assert.equal((await api.get('/users/count', alice)).body, 1)
      assert.equal((await api.get('/users/2', alice)).status, 204)
      assert.equal((await api.send('PUT', '/users/2', { username: 'hacked' }, alice)).status, 404)
      assert.equal((await api.send('PUT', '/users/2', { password: 'hacked-pass' }, alice)).status, 404)
      assert.equal((await api.send('DELETE', '/users/2', undefined, alice)).status, 204)
      assert.equal((await login(api, 'bob')).status, 200)
      const { status, body } = await api.send('PUT', '/users/1', { email: 'new@example.test' }, alice)
      assert.equal(status, 200)
      assert.equal(body.email, 'new@example.test')
    })

    it('and what they may do is not theirs to say', async () => {
      const role = await api.app.entries('plugin::users-permissions.role').first({ where: { type: { $eq: 'editor' } } })
      const body = { role: role?.id, confirmed: false, provider: 'github', username: 'alice9' }
      const { status, body: answer } = await api.send('PUT', '/users/1', body, alice)
      assert.equal(status, 200)
      assert.deepEqual(
        [answer.username, answer.confirmed, answer.provider, answer.role.type],
        ['alice9', true, 'local', 'authenticated'],
      )
    })
  },
)
