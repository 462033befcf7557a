import fs from 'node:fs'
import path from 'node:path'

/** Secrets that a server with plugins requires in production. */
export const secrets = {
  JWT_SECRET: 'a secret that only the benchmark has',
  API_TOKEN_SALT: 'a salt that only the benchmark has',
}

/** `config/plugins` with all five on. */
export const withPlugins = Object.fromEntries(
  ['i18n', 'draft-and-publish', 'users-permissions', 'upload', 'api-tokens'].map(name => [name, true]),
)

/** The app in a folder of its own, its articles with drafts and languages, and settings by file. */
export function appWith(own, config) {
  const app = path.join(own, 'app')
  fs.cpSync(path.join(import.meta.dirname, 'app'), app, { recursive: true })
  const article = path.join(app, 'content-types/article.json')
  const schema = JSON.parse(fs.readFileSync(article, 'utf8'))
  schema.options = { draftAndPublish: true }
  schema.pluginOptions = { i18n: { localized: true } }
  for (const name of ['title', 'body', 'summary']) schema.attributes[name].pluginOptions = { i18n: { localized: true } }
  fs.writeFileSync(article, JSON.stringify(schema))
  for (const [name, value] of Object.entries(config))
    fs.writeFileSync(path.join(app, `config/${name}.json`), JSON.stringify(value))
  return { own, app, file: path.join(own, 'data.db') }
}
