import { createHmac } from 'node:crypto'
import jwt from 'jsonwebtoken'
import type { TestApp } from '../../../core/index.js'
import { roleUid, userUid } from './schema.js'

export const secret = 'a secret of tests'
export const salt = 'a salt of tests'
const tokenOf = (id: number) => jwt.sign({ id }, secret, { expiresIn: '1h' })

/** Everybody who asks. */
export type Who =
  | 'visitor'
  | 'alice'
  | 'bob'
  | 'editor'
  | 'manager'
  | 'fullToken'
  | 'readToken'
  | 'customToken'
  | 'nobodyToken'

/** A client's knowledge of the filled world. */
export interface FilledWorld {
  readonly tokens: Readonly<Record<Exclude<Who, 'visitor'>, string>>
  readonly ids: Readonly<
    Record<'alice' | 'bob' | 'draft' | 'memoOfAlice' | 'memoOfBob' | 'file' | 'secretFile', number>
  >
  readonly url: string
}

/** Words that stand only in what is hidden: from everybody, from whom a rule keeps it, from readers without a preview. */
export const words = {
  hidden: 'CANARYHIDDEN',
  vault: 'CANARYVAULT',
  ofBob: 'CANARYBOB',
  ofAlice: 'CANARYALICE',
  draft: 'CANARYDRAFT',
}

export async function fill(app: TestApp): Promise<FilledWorld> {
  const { entries } = app
  const made = async (uid: string, data: object) => Number((await entries(uid).create(data as never)).id)
  const note = words.hidden
  const account = async (name: string, { role = 'authenticated', ...more } = {} as Record<string, unknown>) =>
    made(userUid, {
      ...{ username: name, email: `${name}@example.test`, password: `${name}-pass-1`, provider: 'local' },
      ...{ confirmed: true, role: (await entries(roleUid).first({ where: { type: { $eq: role } } }))?.id },
      ...more,
    })
  const alice = await account('alice')
  const bob = await account('bob')
  const editor = await account('editor', { role: 'editor' })
  const manager = await account('manager', { role: 'manager' })
  await account('zed', { blocked: true })
  for (const id of [alice, bob, editor, manager])
    await entries(userUid).update(id, {
      resetPasswordToken: `${note}-reset-${id}`,
      confirmationToken: `${note}-confirmation-${id}`,
    })
  const admin = await made('admin::user', { firstname: 'Root', email: `${note}@example.test`, password: note })
  await made('plugin::users-permissions.session', {
    ...{ family: `${note}-family`, hash: `${note}-hash`, account: alice, expires: '99999999999999' },
  })
  const token = async (name: string, type: string, more: object = {}) => {
    const accessKey = createHmac('sha512', salt).update(`key-of-${name}`).digest('hex')
    const id = await made('admin::api-token', { name, type, accessKey, ...more })
    return { id, key: `key-of-${name}` }
  }
  const full = await token('full', 'full-access')
  const read = await token('read', 'read-only')
  const custom = await token('custom', 'custom')
  const expired = await token('expired', 'full-access', { expiresAt: '2020-01-01T00:00:00.000Z' })
  for (const action of ['find', 'findOne'])
    await made('admin::api-token-permission', { action: `api::article.article.${action}`, token: custom.id })

  const picture = { mime: 'image/png', ext: '.png', size: 1, provider: 'local', hash: 'h', folderPath: note }
  const file = await made('plugin::upload.file', { ...picture, name: 'open.png', url: '/uploads/open.png' })
  const secretFile = await made('plugin::upload.file', { ...picture, name: 'scan.png', url: '/uploads/scan.png' })
  const vault = await made('api::vault.vault', { code: words.vault })
  const tags: number[] = []
  for (const name of ['red', 'green', 'blue']) tags.push(await made('api::tag.tag', { name, secretNote: note }))
  const authors: number[] = []
  for (const [name, user] of [
    ['Ada', alice],
    ['Bo', bob],
  ] as const)
    authors.push(await made('api::author.author', { name, secretNote: note, pin: note, user }))
  const memoOfAlice = await made('api::memo.memo', { text: words.ofAlice, owner: alice, scan: secretFile })
  const memoOfBob = await made('api::memo.memo', { text: words.ofBob, owner: bob, scan: secretFile })
  const memos = [memoOfAlice, memoOfBob]
  const articles: number[] = []
  for (let index = 1; index <= 6; index += 1)
    articles.push(
      await made('api::article.article', {
        title: index === 6 ? words.draft : `article ${index}`,
        slug: `article-${index}`,
        body: 'a text',
        views: index * 10,
        big: '12345678901',
        price: 9.99,
        active: index % 2 === 0,
        released: `2024-01-0${index}`,
        opens: '10:00:00.000',
        happened: '2024-01-01T10:00:00.000Z',
        kind: index % 2 ? 'news' : 'essay',
        extra: { a: [1, 2, { b: 'c' }] },
        publishedAt: index === 6 ? null : '2024-01-01T00:00:00.000Z',
        secretNote: `${note} ${index}`,
        pin: note,
        cover: file,
        secretScan: secretFile,
        owner: index % 2 ? alice : bob,
        author: authors[index % 2],
        tags: tags.slice(0, index % 3),
        secretTags: index === 1 ? tags : [],
        vault: index === 1 ? vault : null,
        anything:
          index === 1
            ? [
                ...memos.map(id => ({ id, __type: 'api::memo.memo' })),
                { id: vault, __type: 'api::vault.vault' },
                { id: bob, __type: userUid },
                { id: 1, __type: 'admin::api-token' },
                { id: tags[0], __type: 'api::tag.tag' },
              ]
            : [],
        seo: { metaTitle: 'meta', secretNote: note, pin: note, social: { network: 'x', secretNote: note } },
        slides: [{ caption: 'one', secretNote: note, memo: memos[index % 2], vault, image: file }, { caption: 'two' }],
        blocks: [
          { __component: 'shared.quote', text: 'q', secretNote: note, memos: index === 1 ? memos : [] },
          { __component: 'shared.slide', caption: 's', secretNote: note },
        ],
      }),
    )
  for (const [index, id] of memos.entries()) await entries('api::memo.memo').update(id, { about: articles[index] ?? 0 })
  await made('api::homepage.homepage', { headline: 'hello', secretNote: note, featured: memos })
  const { knex, transaction } = app.store
  await transaction(async session => {
    const { sql, bindings } = knex('articles').update({ created_by_id: admin, updated_by_id: admin }).toSQL().toNative()
    await session.run(sql, bindings)
  })
  return {
    tokens: {
      fullToken: full.key,
      readToken: read.key,
      customToken: custom.key,
      nobodyToken: expired.key,
      alice: tokenOf(alice),
      bob: tokenOf(bob),
      editor: tokenOf(editor),
      manager: tokenOf(manager),
    },
    ids: { alice, bob, draft: articles[5] as number, memoOfAlice, memoOfBob, file, secretFile },
    url: '',
  }
}
