// Clients of GraphQL read the sample app and write to it, each with its cache; types are generated from the schema:
// `node test/plugins/graphql/clients/run.mjs`, after `npm run build`; the clients are installed on demand.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checks, password, startSample } from '../../../support/sample-server.mjs'
import { subscriptions } from './subscriptions.mjs'

const own = fileURLToPath(new URL('.', import.meta.url))
const run = promisify(execFile)
if (!existsSync(join(own, 'node_modules')))
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: own })

const { check, close } = checks()
const app = await startSample({ graphql: { config: { subscriptions: true } }, events: true })
const uri = `${app.address}/graphql`
const list = `query List($name: String) {
  articles(filters: { author: { name: { eq: $name } } }, sort: "title", pagination: { limit: 2 }) {
    data { id attributes { title author { data { id attributes { name } } } } }
    meta { pagination { total } }
  }
}`
const variables = { name: 'Ben Okafor' }
const wrong = '{ articles { data { attributes { titel } } } }'
const create =
  'mutation Create($name: String!) { createTag(data: { name: $name }) { data { id attributes { name } } } }'
const rename =
  'mutation Rename($id: ID!, $name: String!) { updateTag(id: $id, data: { name: $name }) { data { id attributes { name } } } }'
const tag = 'query Tag($id: ID) { tag(id: $id) { data { id attributes { name } } } }'

try {
  await apollo('@apollo/client', 4)
  await apollo('@apollo/client-3', 3)
  await urql()
  await graphqlRequest()
  await subscriptions(app, check)
  await codegen()
} finally {
  await app.stop()
}
close()

function assertArticles({ articles: { data, meta } }) {
  assert.equal(data.length, 2)
  for (const { attributes } of data) assert.equal(attributes.author.data.attributes.name, 'Ben Okafor')
  assert.ok(meta.pagination.total >= 2)
}

/** Cached entries are told apart by type and id, and are merged where they are asked for in parts. */
async function apollo(name, version) {
  const core = version === 3 ? createRequire(import.meta.url)(`${name}/core`) : await import(`${name}/core`)
  const { ApolloClient, InMemoryCache, HttpLink, gql } = core
  const typePolicies = { Article: { merge: true }, Tag: { merge: true } }
  const client = new ApolloClient({ link: new HttpLink({ uri }), cache: new InMemoryCache({ typePolicies }) })
  const title = what => `Apollo Client ${version}: ${what}`
  await check(title('a list with variables'), async () => {
    assertArticles((await client.query({ query: gql(list), variables })).data)
  })
  await check(title('a change is seen by what was read before'), async () => {
    const made = await client.mutate({ mutation: gql(create), variables: { name: `apollo ${version}` } })
    const { id } = made.data.createTag.data
    await client.query({ query: gql(tag), variables: { id } })
    await client.mutate({ mutation: gql(rename), variables: { id, name: `renamed ${version}` } })
    const again = await client.query({ query: gql(tag), variables: { id }, fetchPolicy: 'cache-only' })
    assert.equal(again.data.tag.data.attributes.name, `renamed ${version}`)
  })
  await check(title('the errors of a refused document are told'), async () => {
    await assert.rejects(client.query({ query: gql(wrong) }), error =>
      /titel/.test(JSON.stringify(error) + error.message),
    )
  })
}

async function urql() {
  const { Client, cacheExchange, fetchExchange, gql } = await import('@urql/core')
  const client = new Client({ url: uri, exchanges: [cacheExchange, fetchExchange], preferGetMethod: false })
  await check('urql: a list with variables, and again from its cache', async () => {
    assertArticles((await client.query(gql(list), variables)).data)
    assertArticles((await client.query(gql(list), variables, { requestPolicy: 'cache-only' })).data)
  })
  await check('urql: queries by GET', async () => {
    const byGet = new Client({ url: uri, exchanges: [fetchExchange], preferGetMethod: 'force' })
    assertArticles((await byGet.query(gql(list), variables)).data)
  })
  await check('urql: a write, and the errors of a refused document', async () => {
    assert.equal((await client.mutation(gql(create), { name: 'urql' })).data.createTag.data.attributes.name, 'urql')
    const { error } = await client.query(gql(wrong), {})
    assert.match(error.message, /titel/)
  })
}

async function graphqlRequest() {
  const { GraphQLClient } = await import('graphql-request')
  const client = new GraphQLClient(uri)
  await check('graphql-request: a list with variables', async () =>
    assertArticles(await client.request(list, variables)),
  )
  await check('graphql-request: a sign-in, and a request with its token', async () => {
    const { login } = await client.request(
      'mutation In($password: String!) { login(input: { identifier: "ben", password: $password }) { jwt user { username } } }',
      { password },
    )
    client.setHeader('authorization', `Bearer ${login.jwt}`)
    assert.equal((await client.request('{ me { username } }')).me.username, login.user.username)
  })
  await check('graphql-request: several documents in one request', async () => {
    const answers = await client.batchRequests([
      { document: tag, variables: { id: '1' } },
      { document: '{ tags { data { id } } }' },
    ])
    assert.equal(answers.length, 2)
  })
  await check('graphql-request: errors have their place', async () => {
    await assert.rejects(client.request('{ articles(sort: "title:down") { data { id } } }'), ({ response }) => {
      assert.deepEqual(response.errors[0].path, ['articles'])
      return true
    })
  })
}

/** The types of a document are those of the response: a program with them compiles, and one with a mistake does not. */
async function codegen() {
  const folder = mkdtempSync(join(own, 'generated-'))
  try {
    await check('graphql-codegen: client-preset, types that fit', async () => {
      const { generate } = await import('@graphql-codegen/cli')
      const program = text => `import { graphql } from './gql/index.js'
import { type TypedDocumentNode } from '@graphql-typed-document-node/core'
declare function ask<R, V>(document: TypedDocumentNode<R, V>, variables: V): R
const document = graphql(/* GraphQL */ \`${list}\`)
const { articles } = ask(document, { name: 'x' })
${text}
`
      const good = 'export const title: string | undefined = articles?.data[0]?.attributes?.title\n'
      writeFileSync(join(folder, 'program.ts'), program(good))
      await generate(
        {
          schema: uri,
          documents: [join(folder, 'program.ts')],
          generates: {
            [`${join(folder, 'gql')}/`]: { preset: 'client', config: { emitLegacyCommonJSImports: false } },
          },
          silent: true,
          cwd: own,
        },
        true,
      )
      assert.ok(readdirSync(join(folder, 'gql')).includes('graphql.ts'))
      assert.match(readFileSync(join(folder, 'gql/graphql.ts'), 'utf8'), /ListQuery/)
      const compile = () =>
        run(process.execPath, [
          join(own, 'node_modules/typescript/bin/tsc'),
          ...['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'],
          join(folder, 'program.ts'),
        ])
      await compile()
      writeFileSync(join(folder, 'program.ts'), program(good.replace('.title', '.titel')))
      await assert.rejects(compile(), ({ stdout }) => /titel/.test(stdout))
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
