import { expect, test } from 'vitest'
import { createData } from '../../../../plugins/strapi-code/data/index.js'
import type { Runtime } from '../../../../plugins/strapi-code/types.js'
import { hooksSuite } from './hooks.suite.js'
import { world } from './world.js'

hooksSuite(world)

test('where no code can hear of writes, none is looked at', () => {
  const partsOf = (mentions: readonly string[], lifecycles?: object) => {
    const contentTypes = new Map([['tag', { uid: 'api::tag.tag', schema: {}, ...(lifecycles && { lifecycles }) }]])
    const project = { apis: new Map([['tag', { contentTypes }]]), plugins: new Map() }
    const strapi = { getModel: () => undefined }
    return createData({ project, strapi, mentions: new Set(mentions) } as unknown as Runtime).partsOf()
  }
  expect(partsOf([]).hooks).toBe(undefined)
  expect(partsOf(['cron']).hooks).toBe(undefined)
  for (const parts of [partsOf(['subscribe']), partsOf(['eventHub']), partsOf([], {})])
    expect(parts.hooks).toBeDefined()
})
