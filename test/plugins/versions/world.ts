import { definePlugin } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { patch } from '../../../plugins/patch/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { versions } from '../../../plugins/versions/index.js'
import type { World } from '../../support/contract.js'

/** `x-may` is what a request may do, `x-owner` whose items it reaches, `x-fields` what it may write and read of them, `x-writes` what it may write alone. */
export const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => {
    const [may, owner, fields, writes = fields] = ['x-may', 'x-owner', 'x-fields', 'x-writes'].map(
      name => headers[name],
    )
    return {
      scope: `${may} ${owner} ${fields} ${writes}`,
      actor: `user ${owner ?? 'any'}`,
      can: action => may === undefined || String(may).split(' ').includes(action),
      ...(fields !== undefined && { fields: fieldsOf(String(fields), String(writes)) }),
      ...(owner !== undefined && {
        rows: (_: string, uid: string) => (uid === 'api::item.item' ? { owner: { $eq: String(owner) } } : undefined),
      }),
    }
  },
})

type Fields = (action: string, uid: string) => ReadonlySet<string> | undefined
const known = new Map<string, Fields>()

/** Returns one function for each scope, as callers have it. */
function fieldsOf(reads: string, writes: string): Fields {
  const [read, written] = [reads, writes].map(names => new Set(names.split(' ')))
  const fields: Fields = (action, uid) =>
    uid !== 'api::item.item' ? undefined : action.startsWith('find') ? read : written
  const made = known.get(`${reads}\n${writes}`) ?? fields
  known.set(`${reads}\n${writes}`, made)
  return made
}

export const types = {
  item: {
    options: { versions: true, draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true },
      code: { type: 'string', unique: true },
      secretNote: { type: 'string', private: true },
      password: { type: 'password' },
      facts: { type: 'json' },
      price: { type: 'decimal' },
      big: { type: 'biginteger' },
      day: { type: 'date' },
      owner: { type: 'string' },
      seo: { type: 'component', component: 'shared.seo' },
      parts: { type: 'component', component: 'shared.seo', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.text'] },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
      other: { type: 'relation', relation: 'oneToOne', target: 'api::item.item' },
      whole: { type: 'relation', relation: 'manyToOne', target: 'api::item.item', inversedBy: 'pieces' },
      pieces: { type: 'relation', relation: 'oneToMany', target: 'api::item.item', mappedBy: 'whole' },
      cover: { type: 'media' },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
}

export const components = {
  'shared.seo': {
    attributes: {
      words: { type: 'string' },
      inner: { type: 'string', private: true },
      tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
    },
  },
  'shared.text': { attributes: { text: { type: 'string' } } },
}

export const clock = { now: Date.parse('2031-05-01T12:00:00.000Z') }

export const world = {
  types,
  components,
  time: () => clock.now,
  plugins: [draftAndPublish, upload, [versions, { keep: 5 }], patch, callers],
} satisfies World
