import { randomBytes } from 'node:crypto'
import type { Engine } from '../config/types.js'

export interface NewApp {
  /** What package.json calls it. */
  readonly name: string
  readonly database: Engine
  /** The version of stele that it is made for. */
  readonly version: string
}

/** The files of a new app, by their paths in its folder. */
export function initialFiles(app: NewApp): Readonly<Record<string, string>> {
  return {
    'package.json': json({
      name: app.name,
      version: '0.0.0',
      private: true,
      type: 'module',
      scripts: { start: 'stele start' },
      dependencies: { stele: `^${app.version}` },
    }),
    'config/server.js': server,
    'config/database.js': database(app.database),
    'config/api.js': api,
    'config/plugins.js': plugins,
    'config/permissions.js': permissions,
    'content-types/article.json': json(article),
    'plugins/first-articles.js': firstArticles,
    '.env': environment(app),
    '.gitignore': '.env\n.tmp/\nnode_modules/\npublic/uploads/\n',
    'README.md': readme(app),
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const secret = (): string => randomBytes(32).toString('base64')

const server = `export default ({ env }) => ({
  // The address to listen on; 0.0.0.0 is every one that this machine has.
  host: env('HOST', '0.0.0.0'),
  port: env.int('PORT', 1337),
})
`

const database = (engine: Engine): string => `export default ({ env }) => ({
  // sqlite, mysql (MariaDB too) or postgres. Where it is, and who opens it, stands in .env.
  client: env('DATABASE_CLIENT', '${engine}'),
})
`

const api = `export default {
  rest: {
    // What every path starts with.
    prefix: '/api',
    // The entries of a page where the request does not say, and the most that a request can get.
    defaultLimit: 25,
    maxLimit: 100,
  },
}
`

const plugins = `// What is off is not there: no routes, no parameters, no attributes of it. \`stele plugins\` shows what each one adds.
export default {
  // Accounts and roles; config/permissions.js says what each role may do.
  'users-permissions': true,
  // Tokens for programs: \`stele token create <name>\`.
  'api-tokens': true,
  // Drafts, for content types with \`"options": { "draftAndPublish": true }\`.
  'draft-and-publish': false,
  // Languages, for content types with \`"pluginOptions": { "i18n": { "localized": true } }\`.
  i18n: false,
  // Files, and attributes of the type \`media\`.
  upload: false,
  // A plugin of this app: it writes two articles into an empty database. Take the line out when you have your own.
  'first-articles': { resolve: './plugins/first-articles.js' },
}
`

const permissions = `// Who may do what; every start brings it into the database.
export default {
  roles: {
    // Visitors.
    public: { article: ['find', 'findOne'] },
    // Whoever has an account.
    authenticated: { article: ['find', 'findOne'] },
    editor: { name: 'Editor', inherits: 'authenticated', article: ['create', 'update', 'delete'] },
  },
}
`

const article = {
  kind: 'collectionType',
  collectionName: 'articles',
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
  attributes: {
    title: { type: 'string', required: true, maxLength: 200 },
    slug: { type: 'uid', targetField: 'title' },
    text: { type: 'richtext' },
    minutes: { type: 'integer', min: 1 },
    featured: { type: 'boolean', default: false },
  },
}

const firstArticles = `const articles = [
  { title: 'Hello', slug: 'hello', text: 'This is the first article of this app.', minutes: 1, featured: true },
  { title: 'What to do next', slug: 'next', text: 'Change content-types/article.json and start again.', minutes: 2 },
]

/** Writes them once in the life of a database, if nobody has written an article before. */
export const firstArticles = {
  name: 'first-articles',
  register: host => host,
  sync: [
    {
      name: 'two articles',
      async run(session, host) {
        if (!host.types.types.has('api::article.article')) return
        const entries = host.entries('api::article.article', session)
        if ((await entries.count()) > 0) return
        for (const article of articles) await entries.create(article)
      },
    },
  ],
}
`

function environment({ name, database }: NewApp): string {
  const secrets = `# Made for this app. Whoever knows them can sign in as anybody: keep this file to yourself.
JWT_SECRET=${secret()}
API_TOKEN_SALT=${secret()}
`
  if (database === 'sqlite') return `${secrets}\nDATABASE_FILENAME=.tmp/data.db\n`
  const identifier = name.replace(/\W/g, '_')
  return `${secrets}
# The database and its user have to exist; the tables are made by the first start.
DATABASE_HOST=127.0.0.1
DATABASE_PORT=${database === 'mysql' ? 3306 : 5432}
DATABASE_NAME=${identifier}
DATABASE_USERNAME=${identifier}
DATABASE_PASSWORD=
`
}

const readme = ({ name }: NewApp): string => `# ${name}

    npm install && npm start
    curl http://localhost:1337/api/articles

- \`content-types/\` has one file for each type: add one, start again, and it has a table and endpoints.
- \`config/\` says what is on and who may do what; \`.env\` has the secrets and stays out of git.
- \`npx stele routes\`, \`npx stele plugins\` and \`npx stele types\` show what there is, and why something is not.
- \`npx stele user create\` makes an account, \`npx stele token create <name>\` a token for a program.
- In production: \`NODE_ENV=production npx stele start --workers auto\`, with the variables of \`.env\` set.
`
