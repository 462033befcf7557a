import type { TestApp } from '../../../core/index.js'
import type { Query } from './evaluate.js'
import type { Model, Thing, TypeModel } from './model.js'

/** Brings what a model holds in memory into an app; its entries learn their ids. */
export async function fill(app: TestApp, { things, types }: Model): Promise<void> {
  const data = ({ values, links }: Thing, { links: known }: TypeModel): Query => ({
    ...values,
    undisclosed: 'TOPSECRET',
    ...Object.fromEntries(
      Object.entries(known)
        .filter(([, { part }]) => part)
        .map(([name, { many }]) => {
          const parts = (links[name] ?? []).map(part => ({ ...part.values, undisclosed: 'TOPSECRET' }))
          return [name, many ? parts : (parts[0] ?? null)]
        }),
    ),
  })
  for (const [name, list] of things)
    for (const thing of list)
      thing.id = Number(
        (await app.entries(`api::${name}.${name}`).create(data(thing, types.get(name) as TypeModel))).id,
      )
  for (const [name, list] of things) {
    const owned = Object.entries((types.get(name) as TypeModel).links).filter(
      ([link, { part }]) => !part && /\d$/.test(link),
    )
    for (const { id, links } of list) {
      const ids = owned.map(([link, { many }]) => {
        const behind = (links[link] ?? []).map(other => other.id)
        return [link, many ? behind : (behind[0] ?? null)]
      })
      if (ids.length > 0) await app.entries(`api::${name}.${name}`).update(id, Object.fromEntries(ids))
    }
  }
}
