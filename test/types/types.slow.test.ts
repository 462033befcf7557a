import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, it, onTestFinished, vi } from 'vitest'
import { createTestApp } from '../../core/index.js'
import { patch } from '../../plugins/patch/index.js'
import { upload } from '../../plugins/upload/index.js'
import { compiled } from '../client/compiled.js'
import { openWorld, typesOf } from '../client/world.js'
import { calls, manyTypes } from './many.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const folder = new URL('cases/', import.meta.url)
const cases = Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(new URL(name, folder), 'utf8')]))

describe('the types of an app', () => {
  let schema: string
  beforeAll(async () => {
    const app = await openWorld()
    schema = typesOf(app)
    await app.close()
  })

  it('refuse and promise what the cases say', async () => {
    assert.ok((cases['reads.ts']?.match(/@ts-expect-error/g) ?? []).length > 10)
    assert.deepEqual((await compiled({ ...cases, 'schema.ts': schema })).errors, [])
  })

  it('are shown as what they are when someone points at them', async () => {
    const code = `
      import { createClient, unwrap } from 'stele/client'
      import type { Schema } from './schema.js'
      const api = createClient<Schema>({ url: '' })
      export const query = () => api.articles.findOne(1, { fields: ['title', 'format'], populate: { author: { fields: ['name'] }, sources: true } }).then(unwrap)
    `
    const { declarations } = await compiled({ 'schema.ts': schema, 'shown.ts': code })
    assert.equal(
      declarations['shown.d.ts'],
      `export declare const query: () => Promise<{
    id: number;
    attributes: {
        author: {
            data: {
                id: number;
                attributes: {
                    name: string;
                };
            } | null;
        };
        format: "guide" | "note" | null;
        sources: {
            id: number;
            label: string;
            url: string | null;
        }[];
        title: string;
    };
    meta: {
        availableLocales: {
            id: number;
            locale: string | null;
        }[];
    };
}>;
`,
    )
  })

  it('know a patch where the plugin is enabled, which needs no more of a component than what changes', async () => {
    const app = await openWorld({}, [upload, patch])
    onTestFinished(() => app.close())
    const code = (known: string) => `
      import { createClient } from 'stele/client'
      import type { Schema } from './schema.js'
      const api = createClient<Schema>({ url: '' })
      export const right = [
        api.articles.patch(1, { minutes: 6, seo: { canonical: { url: null } }, tags: { connect: [1] }, main: { label: 'x' } }),
        api.articles.patch(1, { seo: null, sources: [{ id: 1, url: '/b' }] }, { fields: ['title'] }),
        api.homepage.patch({ title: 'Home' }),
      ]
      export const wrong = [
        // @ts-expect-error a title is text
        api.articles.patch(1, { seo: { title: 5 } }),
        // @ts-expect-error no such attribute
        api.articles.patch(1, { seo: { canonical: { lable: 'x' } } }),
        // @ts-expect-error a new item of a list has what is required
        api.articles.patch(1, { sources: [{ url: '/b' }] }),
        // @ts-expect-error an update does not merge
        api.articles.update(1, { seo: { canonical: { url: '/x' } } }),
        // @ts-expect-error one entry only
        api.homepage.patch(1, { title: 'Home' }),
      ]
      export const title = api.articles.patch(1, {}, { fields: ['title'] }).then(({ data }) => data?.attributes.${known})
    `
    const errorsOf = async (schema: string, known: string) =>
      (await compiled({ 'schema.ts': schema, 'patch.ts': code(known) })).errors
    assert.deepEqual(await errorsOf(typesOf(app), 'title'), [])
    assert.equal((await errorsOf(typesOf(app), 'minutes')).length, 1)
    assert.ok((await errorsOf(schema, 'title')).length > 3)
  })

  it('are the same for the same app, and end with a line', async () => {
    const app = await openWorld()
    onTestFinished(() => app.close())
    assert.equal(typesOf(app), schema)
    assert.match(schema, /^\/\/ The types of this app's API, written by `stele types --ts`\..*\n[\s\S]*[^\n]\n$/)
    assert.deepEqual(
      schema.split('\n').filter(line => line.trimEnd() !== line),
      [],
    )
  })
})

// The time depends on the machine; the compiler's counts do not.
it('fifty types with two hundred calls of three levels cost the compiler little', async () => {
  const app = await createTestApp(manyTypes(50))
  onTestFinished(() => app.close())
  const schema = typesOf(app)
  const { errors, types, instantiations } = await compiled({ 'schema.ts': schema, 'calls.ts': calls(200, 50) })
  assert.deepEqual(errors, [])
  assert.ok(instantiations > 50_000 && instantiations <= 200_000, `${instantiations} instantiations`)
  assert.ok(types <= 50_000, `${types} types`)
})
