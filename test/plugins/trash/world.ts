import { definePlugin } from '../../../core/index.js'
import { bulk } from '../../../plugins/bulk/index.js'
import { patch } from '../../../plugins/patch/index.js'
import { trash } from '../../../plugins/trash/index.js'
import type { World } from '../../support/contract.js'

/** `x-may` is what a request may do, `x-owner` whose items it reaches. */
export const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => {
    const may = headers['x-may']
    const owner = headers['x-owner']
    return {
      scope: `${may} ${owner}`,
      can: action => may === undefined || String(may).split(' ').includes(action),
      ...(owner !== undefined && {
        rows: (_: string, uid: string) => (uid === 'api::item.item' ? { owner: { $eq: String(owner) } } : undefined),
      }),
    }
  },
})

export const types = {
  item: {
    options: { trash: true },
    attributes: {
      title: { type: 'string' },
      code: { type: 'string', unique: true },
      slug: { type: 'uid' },
      rating: { type: 'integer' },
      owner: { type: 'string' },
      part: { type: 'component', component: 'shared.part' },
      parts: { type: 'component', component: 'shared.part', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shared.part', 'shared.text'] },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'items' },
      partner: { type: 'relation', relation: 'oneToOne', target: 'api::partner.partner', inversedBy: 'item' },
      parent: { type: 'relation', relation: 'manyToOne', target: 'api::item.item', inversedBy: 'children' },
      children: { type: 'relation', relation: 'oneToMany', target: 'api::item.item', mappedBy: 'parent' },
    },
  },
  tag: {
    attributes: {
      name: { type: 'string' },
      items: { type: 'relation', relation: 'manyToMany', target: 'api::item.item', mappedBy: 'tags' },
    },
  },
  partner: {
    attributes: {
      name: { type: 'string' },
      item: { type: 'relation', relation: 'oneToOne', target: 'api::item.item', mappedBy: 'partner' },
    },
  },
}

export const components = {
  'shared.part': {
    attributes: {
      code: { type: 'string', unique: true, required: true },
      words: { type: 'string' },
      inner: { type: 'component', component: 'shared.inner' },
    },
  },
  'shared.inner': { attributes: { code: { type: 'string', unique: true } } },
  'shared.text': { attributes: { text: { type: 'string' } } },
}

export const world = { types, components, plugins: [trash, bulk, patch, callers] } satisfies World
