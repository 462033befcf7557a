import { randomBytes } from 'node:crypto'
import { type EngineName, isFile, kindOf } from '../../../config/engines.js'
import { editorSchemas } from '../types-file/editor-schema.js'

export interface NewApp {
  /** The app's name in package.json. */
  readonly name: string
  readonly database: EngineName
  /** The version or address of stele in its package.json. */
  readonly stele: string
  /** The source of that package: a tarball that is in the app, a folder outside of it, or elsewhere. */
  readonly source: 'tarball' | 'folder' | 'elsewhere'
  /** Its people write content on a page of the server. */
  readonly hasConsole: boolean
}

/** The folder of a packed stele: an image is built of what is in the app. */
export const vendor = 'vendor'

/** The file of the app's types, in its folder: it is generated from the other files. */
export const typesFile = 'types/schema.ts'

/** The folder of the JSON schemas by which editors check content types. */
export const schemasFolder = 'types'

/** The files of a new app, by their paths in its folder. */
export function initialFiles(app: NewApp): Readonly<Record<string, string>> {
  return {
    'package.json': json({
      name: app.name,
      version: '0.0.0',
      private: true,
      type: 'module',
      scripts: {
        ...{
          dev: 'stele dev',
          start: 'stele start',
          test: 'node --test',
          types: `stele types --ts ${typesFile} --schemas ${schemasFolder}`,
        },
        ...(app.source === 'folder' && { vendor: packing(app.stele) }),
      },
      dependencies: { stele: app.stele },
    }),
    'config/server.js': server,
    'config/database.js': database,
    'config/api.js': api,
    'config/plugins.js': pluginsOf(app),
    'config/permissions.js': permissions,
    'content-types/article.json': json(article),
    'plugins/first-articles.js': firstArticles,
    'test/articles.test.js': articlesTest,
    'tsconfig.json': json(compilerOptions),
    Dockerfile: dockerfile(app),
    ...(app.source === 'folder' && { [`${vendor}/README.md`]: vendorReadme }),
    '.dockerignore': '.env\n.git/\n.tmp/\nbackups/\ndata/\nnode_modules/\npublic/uploads/\n',
    '.env': environment(app),
    '.gitignore': '.env\n.tmp/\nbackups/\ndata/\nnode_modules/\npublic/uploads/\n',
    'README.md': readme(app),
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const secret = (): string => randomBytes(32).toString('base64')

const server = `export default ({ env }) => ({
  // The address to listen on. Unset, it is this machine alone, and in production every address that it has.
  host: env('HOST'),
  port: env.int('PORT', 1337),
})
`

const database = `export default ({ env }) => ({
  // sqlite, mysql (MariaDB too) or postgres. The choice, its address and its account stand in .env, or in DATABASE_URL.
  client: env('DATABASE_CLIENT'),
})
`

const api = `export default {
  rest: {
    // The prefix of every path.
    prefix: '/api',
    // The entries of a page where the request does not say, and the most that a request can get.
    defaultLimit: 25,
    maxLimit: 100,
  },
}
`

const pluginsOf = ({
  hasConsole,
}: Pick<
  NewApp,
  'hasConsole'
>): string => `// What is disabled is not there: no routes, no parameters, no attributes of it. \`stele plugins\` shows what each one adds.
export default {
  // Accounts and roles; config/permissions.js says what each role may do.
  'users-permissions': true,
  // Tokens for programs: \`stele token create <name>\`.
  'api-tokens': true,
  // Queries as a JSON body: QUERY /api/articles and POST /api/articles/query.
  'query-body': true,
  // Drafts, for content types with \`"options": { "draftAndPublish": true }\`; \`preview\` in config/permissions.js shows them.
  'draft-and-publish': { enabled: false, config: { restrictPreview: true } },
  // Languages, for content types with \`"pluginOptions": { "i18n": { "localized": true } }\`.
  i18n: false,
  // Files, and attributes of the type \`media\`.
  upload: false,
  // A page at /explorer that builds and sends requests, and one at / that says what runs here.
  explorer: true,
  // Accounts of people who write content, and their page at /console; \`stele dev\` prints a link that makes the first one.
  admin: ${hasConsole},
  console: ${hasConsole},
  // A plugin of this app: it writes two articles into an empty database. Take the line out when you have your own.
  'first-articles': { resolve: './plugins/first-articles.js' },
}
`

const permissions = `// Who may do what; every start brings it into the database.
export default {
  roles: {
    // Visitors.
    public: { article: ['find', 'findOne'] },
    // Every account.
    authenticated: { article: ['find', 'findOne'] },
    editor: { name: 'Editor', inherits: 'authenticated', article: ['create', 'update', 'delete'] },
  },
}
`

const article = {
  $schema: `../${schemasFolder}/${editorSchemas.type}`,
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
  { title: 'What to do next', slug: 'next', text: 'Change content-types/article.json: npm run dev starts again by itself.', minutes: 2 },
]

/** Writes them once in the life of a database, if there are no articles yet. */
export const firstArticles = {
  name: 'first-articles',
  register: host => host,
  once: [
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

const articlesTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from 'stele'

test('visitors can read the articles, and cannot write any', async t => {
  // The whole app, with a database in memory.
  const app = await createTestApp({ app: '.' })
  t.after(() => app.close())
  const { data } = (await app.inject('/api/articles?sort=minutes')).json()
  assert.equal(data[0].attributes.title, 'Hello')
  const refused = await app.inject({ method: 'POST', url: '/api/articles', payload: { data: { title: 'Mine' } } })
  assert.equal(refused.statusCode, 403)
})
`

/** For editors, and for plugins in TypeScript; the server compiles those by itself. */
const compilerOptions = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowJs: true,
    skipLibCheck: true,
  },
  include: ['config', 'plugins', 'test', 'types'],
}

/** Packs the copy that the app depends on, as it is built: an image cannot reach outside of the app. */
const packing = (stele: string): string =>
  `npm pack --ignore-scripts --pack-destination ${vendor} "${stele.slice('file:'.length)}"`

const vendorReadme = `\`npm run vendor\` packs stele into this folder, for the Dockerfile. Run it again when that copy of stele has changed.
`

const installing = {
  elsewhere: `COPY package*.json ./
RUN npm install --omit=dev
`,
  tarball: `COPY package*.json ./
COPY ${vendor}/ ./${vendor}/
RUN npm install --omit=dev
`,
  folder: `# stele comes from a folder outside of the app. First pack it into ${vendor}/: npm run vendor
COPY package*.json ./
COPY ${vendor}/ ./${vendor}/
RUN npm pkg set "dependencies.stele=file:$(ls ${vendor}/stele-*.tgz | tail -n 1)" && npm install --omit=dev
`,
}

const dockerfile = ({
  source,
}: NewApp): string => `# docker build -t app . && docker run -p 1337:1337 --env-file .env -v app-data:/app/data app
FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATABASE_FILENAME=data/data.db
WORKDIR /app
${installing[source]}COPY . .
RUN mkdir -p data public/uploads && chown -R node:node data public
USER node
EXPOSE 1337
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:1337/_health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
CMD ["npx", "stele", "start"]
`

function environment({ name, database }: NewApp): string {
  const secrets = `# Made for this app. Anyone who knows them can sign in as any account: keep this file to yourself.
JWT_SECRET=${secret()}
API_TOKEN_SALT=${secret()}
`
  if (isFile(database)) return `${secrets}\nDATABASE_FILENAME=data/data.db\n`
  const identifier = name.replace(/\W/g, '_')
  return `${secrets}
# The database and its user have to exist; the tables are made by the first start.
DATABASE_CLIENT=${database}
DATABASE_HOST=127.0.0.1
DATABASE_PORT=${kindOf(database).port}
DATABASE_NAME=${identifier}
DATABASE_USERNAME=${identifier}
DATABASE_PASSWORD=
`
}

const imageHint = {
  elsewhere: '',
  tarball: ` The tarball of stele that it installs is in \`${vendor}/\`: keep it in git with the app.`,
  folder: ` Before that, \`npm run vendor\` packs stele into \`${vendor}/\`.`,
}

const readme = ({ name, source }: NewApp): string => `# ${name}

    npm install
    npm run dev
    curl http://localhost:1337/api/articles

- \`content-types/\` has one file for each type: add one, and it has a table and endpoints. \`npm run dev\` starts again by itself.
- \`config/\` says what is enabled and who may do what; \`.env\` has the secrets and stays out of git.
- \`npx stele routes\`, \`npx stele plugins\` and \`npx stele types\` show what there is, and why something is not.
- \`npx stele user create\` makes an account, \`npx stele token create <name>\` a token for a program.
- \`npm test\` runs the tests in \`test/\`, each with a server in memory. \`Dockerfile\` makes an image of the app.${imageHint[source]}
- \`types/\` has the JSON schemas by which editors complete and check content types: \`"$schema"\` in a file names one.
- \`types/schema.ts\` has the TypeScript types of the API for its clients. \`npm run types\` writes it again when content
  types or settings have changed, \`npm run types -- --watch\` whenever they change:

      import { createClient } from 'stele/client'
      import type { Schema } from './types/schema.js'

      const api = createClient<Schema>({ url: 'http://localhost:1337/api' })
      const { data, error } = await api.articles.find({ fields: ['title'], filters: { featured: true } })

- In production: \`NODE_ENV=production npx stele start --workers auto\`, with the variables of \`.env\` set.
`
