import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { admin } from '../../../plugins/admin/index.js'
import { contentConsole } from '../../../plugins/console/index.js'
import type { TypeMeta } from '../../../plugins/console/model/meta.js'
import { groupedTypes } from '../../../plugins/console/model/navigation.js'
import { onSqlite } from '../../support/engines.js'
import { type Server, startOn } from '../../support/server.js'
import type { Editor } from './project.js'
import { signIn, world } from './world.js'

const grouped = (groups: Readonly<Record<string, readonly string[]>>) => ({
  ...world,
  plugins: [
    ...world.plugins.slice(0, 2),
    [admin, { ratelimit: { enabled: false } }] as const,
    [contentConsole, { groups }] as const,
  ],
})

describe('the groups of the navigation', () => {
  const refused: readonly { says: string; groups: Parameters<typeof grouped>[0]; message: RegExp }[] = [
    {
      says: 'a type that does not exist',
      groups: { Blog: ['article', 'tags'] },
      message: /console\.groups\.Blog: there is no type "tags"; did you mean "tag"\?/,
    },
    {
      says: 'a type that is in two of them',
      groups: { Blog: ['article'], News: ['api::article.article'] },
      message: /console\.groups\.News: "api::article.article" is in the group "Blog" already/,
    },
  ]
  for (const { says, groups, message } of refused)
    it(`stop the start where they name ${says}`, () => assert.rejects(createTestApp(grouped(groups)), { message }))

  it('come first, in their order, and the other types behind them', () => {
    const types = ['a', 'b', 'c', 'd'].map(uid => ({ uid }) as TypeMeta)
    const groups = [
      { name: 'Second', types: ['d', 'gone', 'b'] },
      { name: 'Empty', types: ['gone'] },
    ]
    const shown = (all: readonly TypeMeta[]) =>
      groupedTypes(groups, all).map(group => [group.name, group.types.map(({ uid }) => uid).join('')])
    assert.deepEqual(shown(types), [
      ['Second', 'db'],
      [undefined, 'ac'],
    ])
    assert.deepEqual(shown(types.slice(1, 2)), [['Second', 'b']])
  })
})

onSqlite('the groups in the description', ({ fresh }) => {
  let server: Server
  let drop: () => Promise<void>
  let ada: Editor
  let tom: Editor
  beforeAll(async () => {
    const database = await fresh()
    drop = database.drop
    server = await startOn(database.database, grouped({ Blog: ['tag', 'api::article.article'], Start: ['homepage'] }))
    ada = await signIn(server.app, 'Super Admin', 'ada@example.test')
    tom = await signIn(server.app, 'Author', 'tom@example.test')
  })
  afterAll(async () => {
    await server?.app.close()
    await drop?.()
  })

  it('name the types by their uids, and those alone that the account sees', async () => {
    assert.deepEqual((await ada.meta()).groups, [
      { name: 'Blog', types: ['api::tag.tag', 'api::article.article'] },
      { name: 'Start', types: ['api::homepage.homepage'] },
    ])
    const { groups, types } = await tom.meta()
    const seen = types.map(({ uid }) => uid)
    assert.ok(groups.flatMap(group => group.types).every(uid => seen.includes(uid)))
  })
})
