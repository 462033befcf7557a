import { definePlugin } from '../../../core/index.js'

/** A line of the menu that this plugin serves. */
interface MenuLine {
  readonly title: string
  readonly path: string
}

declare module '../../../core/plugin-kit.js' {
  interface PluginParts {
    /** Lines of the menu. */
    menu: readonly MenuLine[]
  }
}

const line = {
  type: 'object',
  required: ['title', 'path'],
  additionalProperties: false,
  properties: { title: { type: 'string' }, path: { type: 'string', pattern: '^/' } },
}

/** `GET /api/menu`: the lines of all plugins. */
export const menu = definePlugin({
  name: 'menu',
  words: { parts: { menu: { type: 'array', items: line } } },
  register: ({ outline }) => outline.plugins.flatMap(({ parts }) => parts.menu ?? []),
  routes: [{ method: 'GET', path: '/menu', action: null, run: ({ service: data }) => ({ data }) }],
})

export const shop = definePlugin({
  name: 'shop',
  menu: [{ title: 'Shop', path: '/shop' }],
})
