import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import type { Engine } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { grant, roleUid, secret, userUid } from './people.js'

const types = { article: { attributes: { title: { type: 'string' }, pin: { type: 'password' } } } }
const article = 'api::article.article'

async function boot(permissions: unknown, database?: unknown): Promise<TestApp> {
  return createTestApp({
    types,
    plugins: [[usersPermissions, { jwtSecret: secret }]],
    config: { permissions, ...(database !== undefined && { database: database as never }) },
  })
}

const actionsOf = async (app: TestApp, type: string): Promise<string[] | undefined> => {
  const where = { type: { $eq: type } }
  const role = await app.entries(roleUid).first({ where, populate: { permissions: true } })
  return (role?.permissions as { action: string }[] | undefined)?.map(({ action }) => action).sort()
}

async function command(app: TestApp, name: string, ...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const found = app.commands.find(one => one.name === name)
  await found?.run({
    args,
    options: {},
    json: false,
    interactive: false,
    print: line => lines.push(line),
    table: rows => lines.push(...rows.map(row => JSON.stringify(row))),
  })
  return lines
}

onEveryEngine('config/permissions', (engine: Engine) => {
  /** Starts after each other on one database. */
  async function starts(steps: [unknown, (app: TestApp) => Promise<void>][]): Promise<void> {
    const fresh = await engine.fresh()
    try {
      for (const [permissions, look] of steps) {
        const app = await boot(permissions, fresh.database)
        try {
          await look(app)
        } finally {
          await app.close()
        }
      }
    } finally {
      await fresh.drop()
    }
  }

  const declared = {
    roles: {
      public: { article: ['find'] },
      author: { name: 'Author', description: 'Writes.', inherits: 'public', [article]: ['create', 'update'] },
    },
  }
  const signIn = [
    'callback',
    'connect',
    'emailConfirmation',
    'forgotPassword',
    'register',
    'resetPassword',
    'sendEmailConfirmation',
  ]
  const auth = signIn.map(action => `plugin::users-permissions.auth.${action}`)

  it('makes the roles it declares, keeps signing in open, and leaves other roles alone', () =>
    starts([
      [undefined, app => grant(app, 'other', [`${article}.delete`, 'api::gone.gone.find'])],
      [
        declared,
        async app => {
          assert.deepEqual(await actionsOf(app, 'public'), [`${article}.find`, ...auth])
          assert.deepEqual(await actionsOf(app, 'author'), [
            ...['create', 'find', 'update'].map(action => `${article}.${action}`),
            ...auth,
          ])
          assert.deepEqual(await actionsOf(app, 'other'), [`${article}.delete`, 'api::gone.gone.find'])
          const author = await app.entries(roleUid).first({ where: { type: { $eq: 'author' } } })
          assert.deepEqual([author?.name, author?.description], ['Author', 'Writes.'])
          assert.equal((await app.inject('/api/articles')).statusCode, 200)
        },
      ],
    ]))

  it('keeps roles that it declares from being changed or deleted over HTTP', () => {
    const open = { article: ['find'], [roleUid]: ['updateRole', 'deleteRole'] }
    return starts([
      [
        { roles: { ...declared.roles, public: open } },
        async app => {
          const idOf = async (type: string) =>
            (await app.entries(roleUid).first({ where: { type: { $eq: type } } }))?.id
          const send = async (method: 'PUT' | 'DELETE', type: string) => {
            const url = `/api/users-permissions/roles/${await idOf(type)}`
            const reply = await app.inject({
              method,
              url,
              ...(method === 'PUT' && { payload: { description: 'new' } }),
            })
            return [reply.statusCode, reply.json().error?.message]
          }
          const refusal = [400, 'The role author is declared in config/permissions; change it there']
          assert.deepEqual(await send('PUT', 'author'), refusal)
          assert.deepEqual(await send('DELETE', 'author'), refusal)
          assert.deepEqual((await actionsOf(app, 'author'))?.length, 5 + auth.length)
          for (const method of ['PUT', 'DELETE'] as const)
            assert.deepEqual(await send(method, 'authenticated'), [200, undefined])
        },
      ],
    ])
  })

  it('changes nothing the second time, and takes away what it no longer says', () => {
    let rows: unknown
    const look = async (app: TestApp) => app.entries('plugin::users-permissions.permission').find({ sort: 'id' })
    return starts([
      [
        declared,
        async app => {
          rows = await look(app)
        },
      ],
      [
        declared,
        async app => {
          assert.deepEqual(await look(app), rows)
          assert.deepEqual(await command(app, 'permissions plan'), [
            'the roles are as config/permissions declares them',
          ])
        },
      ],
      [
        { roles: { public: { article: ['findOne'] }, author: { article: { find: true } } } },
        async app => {
          assert.deepEqual(await actionsOf(app, 'public'), [`${article}.findOne`, ...auth])
          assert.deepEqual(await actionsOf(app, 'author'), [`${article}.find`])
        },
      ],
    ])
  })

  it('is planned and applied by commands, where a start is told not to', () => {
    const later = { ...declared, apply: 'command' }
    return starts([
      [
        later,
        async app => {
          assert.equal(await actionsOf(app, 'author'), undefined)
          const plan = await command(app, 'permissions plan')
          assert.deepEqual(plan.slice(0, 2), [`public  + ${article}.find`, 'author  + role "Author"'])
          assert.ok(plan.includes(`author  + ${article}.create`))
          assert.equal(await actionsOf(app, 'author'), undefined)
          assert.deepEqual(await command(app, 'permissions apply'), plan)
          assert.deepEqual(await command(app, 'permissions apply'), [
            'the roles are as config/permissions declares them',
          ])
          assert.equal((await app.inject('/api/articles')).statusCode, 200)
        },
      ],
      [
        { apply: 'command', roles: { author: { name: 'Writer', description: 'Writes.' } } },
        async app => {
          const plan = await command(app, 'permissions plan')
          assert.equal(plan[0], 'author  ~ name "Writer"')
          assert.ok(plan.includes(`author  - ${article}.create`))
          assert.ok(!plan.some(line => line.startsWith('public')))
        },
      ],
    ])
  })

  it('says false where something is not inherited', () =>
    starts([
      [
        {
          roles: {
            authenticated: { article: ['find', 'findOne'], [userUid]: true },
            guest: {
              inherits: ['authenticated'],
              article: { findOne: false },
              [userUid]: { ...{ me: true }, destroy: false },
            },
          },
        },
        async app => {
          const actions = (await actionsOf(app, 'guest')) ?? []
          assert.ok(actions.includes(`${article}.find`))
          assert.ok(actions.includes(`${userUid}.me`))
          assert.ok(actions.includes('plugin::users-permissions.auth.changePassword'))
          for (const gone of [`${article}.findOne`, `${userUid}.destroy`]) assert.ok(!actions.includes(gone), gone)
        },
      ],
    ]))

  it('may be applied by two that start at once', async () => {
    const fresh = await engine.fresh()
    try {
      await (await boot(undefined, fresh.database)).close()
      const apps = await Promise.all([boot(declared, fresh.database), boot(declared, fresh.database)])
      const [first] = apps
      assert.equal(await first?.entries(roleUid).count({ type: { $eq: 'author' } }), 1)
      assert.equal((await actionsOf(first as TestApp, 'author'))?.length, 3 + auth.length)
      for (const app of apps) await app.close()
    } finally {
      await fresh.drop()
    }
  })
})

describe('mistakes in config/permissions stop the start and are named', () => {
  const role = (section: unknown) => ({ roles: { author: section } })
  const mistakes: [string, unknown, RegExp][] = [
    [
      'a key that does not exist',
      { rules: {} },
      /config\/permissions: rules is not a setting; there are apply, roles, editors/,
    ],
    ['a way to apply that does not exist', { apply: 'later' }, /apply is "boot" or "command"/],
    [
      'an unknown type',
      role({ artcle: ['find'] }),
      /roles\.author\.artcle is neither a uid nor the singular name of a content type; did you mean article\?$/m,
    ],
    ['an unknown uid', role({ 'api::x.x': ['find'] }), /roles\.author\.api::x\.x is neither/],
    [
      'an unknown action',
      role({ article: ['fnd'] }),
      /roles\.author\.article has no action "fnd"; there are find, findOne, create/,
    ],
    ['an unknown field', role({ article: { find: { titel: 'x' } } }), /roles\.author\.article\.find.*titel.*title/],
    ['an unknown operator', role({ article: { find: { title: { $is: 'x' } } } }), /\$is/],
    [
      'an unknown variable',
      role({ article: { find: { title: '$caller.nickname' } } }),
      /"\$caller\.nickname" is not a variable; there are \$caller\.id, \$caller\.username/,
    ],
    [
      'a secret for a variable',
      role({ article: { find: { title: '$caller.password' } } }),
      /"\$caller\.password" is not a variable/,
    ],
    ['a variable of nothing', role({ article: { find: { title: '$caller' } } }), /"\$caller" is not a variable/],
    [
      'a filter where there are no entries',
      role({ 'plugin::users-permissions.auth': { callback: { id: 1 } } }),
      /is true or false: there are no entries/,
    ],
    ['a word for a grant', role({ article: { find: 'yes' } }), /find is true, false or a filter/],
    ['an heir of nobody', role({ inherits: 'nobody' }), /inherits names "nobody", which is not declared here/],
    [
      'heirs in a circle',
      { roles: { a: { inherits: 'b' }, b: { inherits: 'a' } } },
      /inherits goes in a circle: a, b, a|inherits goes in a circle: b, a, b/,
    ],
    ['a type of a role that is none', { roles: { 'The Author': {} } }, /roles\.The Author is written in small letters/],
    [
      'a role that is no object',
      { roles: { author: ['find'] } },
      /roles\.author is a list; expected an object of what the role may do, such as/,
    ],
    ['a role that may do everything', { roles: { public: true } }, /roles\.public is true; expected an object of/],
    ['a name that is no text', role({ name: 1 }), /roles\.author\.name is text/],
  ]
  for (const [says, permissions, message] of mistakes)
    it(says, async () => {
      await assert.rejects(boot(permissions), message)
    })

  it('all at once', async () => {
    await assert.rejects(boot(role({ artcle: ['find'], article: ['fnd'] })), /artcle(.|\n)*fnd/)
  })
})
