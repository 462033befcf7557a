import { schemaOf } from '../support/written.js'

type Files = Readonly<Record<string, string>>

/** The dependencies of a project with accounts and locales. */
export const dependencies = (more: object = {}): string =>
  JSON.stringify({
    name: 'written',
    dependencies: {
      '@strapi/strapi': '4.26.2',
      '@strapi/plugin-users-permissions': '4.26.2',
      '@strapi/plugin-i18n': '4.26.2',
      ...more,
    },
  })

/** A project whose code answers what is asked at `/api/ask/<name>`: the functions of `asks`, with `strapi` and `ctx`. */
export const asking = (asks: Readonly<Record<string, string>>, files: Files = {}): Files => ({
  'package.json': dependencies(),
  'src/api/ask/controllers/ask.js': `module.exports = { ${Object.entries(asks)
    .map(([name, code]) => `async ${name}(ctx) { ${code} }`)
    .join(',\n')} }`,
  'src/api/ask/routes/ask.js': `module.exports = { routes: ${JSON.stringify(
    Object.keys(asks).map(name => ({
      method: 'ALL',
      path: `/ask/${name}`,
      handler: `ask.${name}`,
      config: { auth: false },
    })),
  )} }`,
  'src/api/note/content-types/note/schema.json': schemaOf('note', {
    title: { type: 'string' },
    cover: { type: 'media' },
    pages: { type: 'media', multiple: true },
  }),
  ...files,
})

/** Gives roles actions, once there are roles. */
export const granting = (role: 'public' | 'authenticated', ...actions: string[]): string =>
  `const role = await strapi.query('plugin::users-permissions.role').findOne({ where: { type: '${role}' } })
   for (const action of ${JSON.stringify(actions)}) await strapi.query('plugin::users-permissions.permission').create({ data: { action, role: role.id } })`

/** `src/index` with this in its `bootstrap`. */
export const atStart = (code: string): Files => ({
  'src/index.js': `module.exports = { async bootstrap({ strapi }) { ${code} } }`,
})
