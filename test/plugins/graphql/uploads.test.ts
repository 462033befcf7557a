import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { onSqlite } from '../../support/engines.js'
import { encode, type Part, serveUploads } from '../upload/world.js'
import { asking, type Graph } from './asking.js'

/** Callers may do what a header of their requests lists, and everything without it. */
const callers = definePlugin({
  name: 'callers',
  authenticate({ headers }) {
    const list = headers['x-may']
    const may = typeof list === 'string' ? list.split(' ') : undefined
    return { scope: String(list), can: (action: string, uid: string) => may?.includes(`${uid}.${action}`) ?? true }
  },
})

const fileUid = 'plugin::upload.file'
const codesOf = ({ errors }: Graph) => errors.map(([code]) => code)

for (const dialect of ['spec', 'strapi4'] as const)
  onSqlite(`files in GraphQL, ${dialect}`, engine => {
    const world = serveUploads(engine, { plugins: [callers, graphql], rest: { dialect } })
    const ask = (query: string, may?: string) => asking(world, may === undefined ? {} : { 'x-may': may })(query)

    /** Sends files as a form whose map leads them to variables. */
    const form = async (
      { query, variables }: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
      files: readonly (readonly [path: string, name: string, content: string])[],
      may?: string,
      more: Readonly<Record<string, string>> = {},
    ): Promise<Graph> => {
      const map = Object.fromEntries(files.map(([path], index) => [index, [path]]))
      const { body, type } = encode([
        ['operations', JSON.stringify({ query, variables })],
        ['map', JSON.stringify(map)],
        ...files.map(([, name, content], index): Part => [String(index), name, 'text/plain', content]),
      ])
      const headers = { 'content-type': type, ...(may !== undefined && { 'x-may': may }), ...more }
      const response = await world.app.inject({ method: 'POST', url: '/graphql', headers, payload: body })
      const { data, errors = [] } = JSON.parse(response.body)
      return {
        ...{ status: response.statusCode, headers: response.headers, data, text: response.body },
        errors: errors.map((error: { extensions: { code: string }; message: string }) => [
          error.extensions.code,
          error.message,
        ]),
      }
    }
    const shown = 'data { id attributes { name alternativeText caption ext } }'
    const one = (args = '') =>
      `mutation($file: Upload!, $info: FileInfoInput) { upload(file: $file, info: $info${args}) { ${shown} } }`
    const note = ['variables.file', 'note.txt', 'some text'] as const
    const upload = async (): Promise<string> => {
      const { data, text } = await form({ query: one(), variables: { file: null } }, [note])
      return data?.upload.data.id ?? assert.fail(text)
    }

    describe('upload', () => {
      it('takes a file, and what is said of it', async () => {
        const info = { name: 'other.txt', alternativeText: 'alt', caption: 'cap' }
        const { data } = await form({ query: one(), variables: { file: null, info } }, [note])
        assert.deepEqual(data.upload.data.attributes, { ...info, ext: '.txt' })
        const file = await world.app.entries(fileUid).first({ where: { id: Number(data.upload.data.id) } })
        assert.equal((await world.fetch(String(file?.url))).text, 'some text')
        await world.settled()
      })
      it('adds it to an attribute of an entry, which the caller may update', async () => {
        const { id } = await world.app.entries('api::article.article').create({ title: 't' })
        const query = one(`, ref: "api::article.article", refId: ${id}, field: "gallery"`)
        const send = (may?: string) => form({ query, variables: { file: null } }, [note], may)
        const made = (await send()).data.upload.data.id
        const article = `{ article(id: ${id}) { data { attributes { gallery { data { id } } } } } }`
        assert.deepEqual((await ask(article)).data.article.data.attributes.gallery, { data: [{ id: made }] })
        const refused = await send('plugin::upload.content-api.upload')
        assert.deepEqual([refused.data, codesOf(refused)], [null, ['FORBIDDEN']])
        await world.settled()
      })
      it('is refused without the permission, and for entries that are not there', async () => {
        const files = await world.count('files')
        const refused = await form({ query: one(), variables: { file: null } }, [note], 'none')
        assert.deepEqual([refused.status, refused.data, codesOf(refused)], [200, null, ['FORBIDDEN']])
        const query = one(', ref: "api::article.article", refId: 999, field: "gallery"')
        assert.deepEqual(codesOf(await form({ query, variables: { file: null } }, [note])), ['BAD_USER_INPUT'])
        assert.equal(await world.count('files'), files)
        await world.settled()
      })
      it('takes no Idempotency-Key, which would have no effect', async () => {
        const sent = { query: one(), variables: { file: null } }
        const { status, errors } = await form(sent, [note], undefined, { 'idempotency-key': 'k' })
        assert.equal(status, 400)
        assert.match(errors[0]?.[1] ?? '', /Idempotency-Key: .*POST \/upload/)
      })

      it('of several answers each', async () => {
        const query = `mutation($files: [Upload]!) { multipleUpload(files: $files) { data { attributes { name } } } }`
        const files = ['a.txt', 'b.txt', 'c.txt'].map(
          (name, index) => [`variables.files.${index}`, name, name] as const,
        )
        const { data } = await form({ query, variables: { files: [null, null, null] } }, files)
        assert.deepEqual(
          data.multipleUpload.map((one: { data: { attributes: unknown } }) => one.data.attributes),
          [{ name: 'a.txt' }, { name: 'b.txt' }, { name: 'c.txt' }],
        )
        const none = await form({ query, variables: { files: [] } }, [])
        assert.deepEqual([none.data, codesOf(none)], [null, ['BAD_USER_INPUT']])
      })
      it('takes no text in place of a file', async () => {
        const { status, errors } = await ask('mutation { upload(file: "x") { data { id } } }')
        assert.deepEqual([status, errors[0]?.[0]], [400, 'GRAPHQL_VALIDATION_FAILED'])
        const text = await form({ query: one(), variables: { file: 'x' } }, [])
        assert.deepEqual([text.status, codesOf(text)], [400, ['BAD_USER_INPUT']])
      })
    })

    it('updateFileInfo changes what is said of a file', async () => {
      const id = await upload()
      const change = (args: string, may?: string) => ask(`mutation { updateFileInfo(${args}) { ${shown} } }`, may)
      const { data } = await change(`id: ${id}, info: { caption: "new" }`)
      assert.deepEqual(data.updateFileInfo.data.attributes, {
        ...{ name: 'note.txt', alternativeText: null, caption: 'new', ext: '.txt' },
      })
      for (const [args, code] of [
        ['id: 999, info: { name: "x" }', 'STRAPI_NOT_FOUND_ERROR'],
        ['id: "x", info: { name: "x" }', 'STRAPI_NOT_FOUND_ERROR'],
        [`id: ${id}`, 'BAD_USER_INPUT'],
      ] as const) {
        const refused = await change(args)
        assert.deepEqual([refused.data, codesOf(refused)], [null, [code]], args)
      }
      assert.deepEqual(codesOf(await change(`id: ${id}, info: { name: "x" }`, 'none')), ['FORBIDDEN'])
    })

    for (const name of ['removeFile', 'deleteUploadFile'])
      it(`${name} removes a file, and its content`, async () => {
        const id = await upload()
        const { url } = (await world.app.entries(fileUid).first({ where: { id: Number(id) } })) ?? {}
        const remove = (may?: string) => ask(`mutation { ${name}(id: ${id}) { data { id attributes { name } } } }`, may)
        assert.deepEqual(codesOf(await remove('none')), ['FORBIDDEN'])
        assert.deepEqual((await remove()).data[name].data, { id, attributes: { name: 'note.txt' } })
        assert.equal((await world.fetch(String(url))).status, 404)
        assert.deepEqual((await remove()).data[name], name === 'removeFile' ? null : { data: null })
        await world.settled()
      })
  })
