import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { definePlugin, type Route } from '../../../core/index.js'

/** Functions of the app in place of generated endpoints: `handlers/article.find.js` answers `GET /articles`. */
export const handlers = definePlugin({
  name: 'handlers',
  async forApp({ app, definitions }) {
    const folder = join(app.appDir, 'handlers')
    if (!existsSync(folder)) return undefined
    const routes: Route[] = []
    for (const file of readdirSync(folder)) {
      const [, name, action] = /^([\w-]+)\.(find|findOne)\.js$/.exec(file) ?? []
      const uid = `api::${name}.${name}`
      const type = definitions.find(definition => definition.uid === uid)
      if (!type || action === undefined) throw new Error(`${file} is not named <type>.find.js or <type>.findOne.js`)
      const { pluralName } = type.schema.info as { pluralName: string }
      const { default: handle } = await import(pathToFileURL(join(folder, file)).href)
      const one = { path: `/${pluralName}/:id`, matches: { id: /^\d+$/ } }
      routes.push({
        ...{ method: 'GET', action, uid, replaces: true },
        ...(action === 'find' ? { path: `/${pluralName}` } : one),
        // The function gets what the endpoint would have answered, and returns the response.
        run: async ({ content, params }) => {
          const options = { whole: true } as const
          const found = action === 'find' ? content.find(uid, options) : content.findOne(uid, params.id, options)
          return handle((await found).value())
        },
      })
    }
    return { routes }
  },
})
