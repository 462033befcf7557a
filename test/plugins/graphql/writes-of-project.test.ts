import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { keyOf } from '../../strapi4/fixture.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder } from '../../strapi4/project.js'
import { asking } from './asking.js'
import { withGraphql } from './replay.js'

describe('mutations of a project of Strapi 4', () => {
  let folder: ProjectFolder
  let project: OpenProject
  beforeAll(async () => {
    folder = copyProject()
    withGraphql(folder)
    project = await openProject(folder)
  })
  afterAll(async () => {
    await project?.close()
    folder?.remove()
  })
  const ask = async (auth: string, mutation: string) => {
    const key = keyOf(auth)
    const api = { app: { inject: (options: object) => project.send(options) } }
    const answer = await asking(
      api as never,
      key === undefined ? {} : { authorization: `Bearer ${key}` },
    )(`mutation { ${mutation} }`)
    return { ...answer, codes: answer.errors.map(([code]) => code) }
  }

  it('of rows of files and of folders need a token that may do everything', async () => {
    for (const mutation of [
      'createUploadFolder(data: { name: "x", pathId: 7, path: "/7" }) { data { id } }',
      'updateUploadFolder(id: 1, data: { name: "x" }) { data { id } }',
      'deleteUploadFolder(id: 1) { data { id } }',
      'createUploadFile(data: { name: "x", hash: "x", mime: "text/plain", size: 1, url: "/x", provider: "local" }) { data { id } }',
      'updateUploadFile(id: 1, data: { caption: "x" }) { data { id } }',
      'deleteUploadFile(id: 1) { data { id } }',
    ])
      for (const auth of ['none', 'alice', 'eddie', 'readonly', 'custom'])
        assert.deepEqual((await ask(auth, mutation)).codes, ['FORBIDDEN'], `${auth} ${mutation}`)
    const made = await ask(
      'full',
      'createUploadFolder(data: { name: "x", pathId: 7, path: "/7" }) { data { attributes { path } } }',
    )
    assert.deepEqual(made.data, { createUploadFolder: { data: { attributes: { path: '/7' } } } })
  })
  it('leave a single type in another locale alone', async () => {
    const { data, codes } = await ask('none', 'updateHomepage(data: { headline: "x" }, locale: "it") { data { id } }')
    assert.deepEqual([data, codes], [{ updateHomepage: { data: null } }, ['BAD_USER_INPUT']])
  })
  it('take one id as a number and as a text', async () => {
    const quote = '{ __typename: "ComponentSharedQuote", title: "q", author: 4 }'
    const { data, codes } = await ask(
      'none',
      `createArticle(data: { title: "t", author: 4, blocks: [${quote}] }) { data { attributes { author { data { id } } } } }`,
    )
    assert.deepEqual([data.createArticle.data.attributes, codes], [{ author: { data: { id: '4' } } }, []])
  })
  it('leave a role its permissions', async () => {
    const count = async () => {
      const where = { role: { id: { $eq: 3 } } }
      return (await project.app.entries('plugin::users-permissions.permission').find({ where, limit: 500 })).length
    }
    const before = await count()
    assert.ok(before > 0)
    const { data } = await ask('full', 'updateUsersPermissionsRole(id: 3, data: { name: "Editors" }) { ok }')
    assert.deepEqual(data, { updateUsersPermissionsRole: { ok: true } })
    assert.equal(await count(), before)
  })
  it('drop relations to what the caller may not find', async () => {
    const { data, codes } = await ask('none', 'updateAuthor(id: 1, data: { memos: [] }) { data { id } }')
    assert.deepEqual([data.updateAuthor.data, codes], [{ id: '1' }, []])
    const [memos] = await project.app
      .entries('api::author.author')
      .find({ where: { id: 1 }, populate: { memos: true } })
    assert.ok(Array.isArray(memos?.memos) && memos.memos.length > 0)
  })
})
