import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { type AnyPlugin, createTestApp, definePlugin, type TestApp } from '../../core/index.js'
import { folderOf } from '../support/terminal.js'
import { menu, shop } from './examples/menu.js'

/** A plugin in JavaScript, as nothing checks its types. */
const written = (parts: object): AnyPlugin => definePlugin({ name: 'clumsy', ...parts } as never)

async function started(...plugins: AnyPlugin[]) {
  const app = await createTestApp({ plugins })
  onTestFinished(() => app.close())
  return app
}

const lines = async (app: TestApp) => (await app.inject({ url: '/api/menu' })).json().data

const refused = (message: RegExp, ...plugins: AnyPlugin[]) =>
  assert.rejects(createTestApp({ plugins }), { name: 'BootError', message })

describe('a part that another plugin reads', () => {
  it('reaches its reader, in the order in which the plugins start', async () => {
    const app = await started(shop, menu, written({ menu: [{ title: 'More', path: '/more' }] }))
    assert.deepEqual(await lines(app), [
      { title: 'Shop', path: '/shop' },
      { title: 'More', path: '/more' },
    ])
  })

  it('may follow from the app', async () => {
    const app = await started(menu, written({ forApp: () => ({ menu: [{ title: 'Late', path: '/late' }] }) }))
    assert.deepEqual(await lines(app), [{ title: 'Late', path: '/late' }])
    await refused(
      /plugin clumsy: menu\.0 must have required property 'path'/,
      menu,
      written({ forApp: () => ({ menu: [{ title: 'Late' }] }) }),
    )
  })

  it('is no part where no plugin reads it', async () => {
    await refused(/plugin shop: "menu" is no part of a plugin; there are name, describe, .*transfer/, shop)
  })

  it('stops the start where its reader could not use it', async () => {
    await refused(
      /menu\.0\.titel is no part of it; did you mean menu\.0\.title\?\nplugin clumsy: menu\.0\.path must match pattern/,
      menu,
      written({ menu: [{ title: 'Shop', path: 'shop', titel: 1 }] }),
    )
    await refused(/plugin clumsy: menu must be array/, menu, written({ menu: 'shop' }))
  })

  it('has one reader, and none of the names that core has', async () => {
    const reads = (name: string, parts: unknown) => written({ name, words: { parts } })
    await refused(/the plugins menu and other both declare the part "menu"/, menu, reads('other', { menu: {} }))
    await refused(
      /plugin other: words\.parts has "hooks", which is a part of every plugin/,
      reads('other', { hooks: {} }),
    )
    await refused(/plugin other: words\.parts is text; expected an object|words\.parts is /, reads('other', 'menu'))
  })

  it('comes with the file of a plugin that the app names', async () => {
    const folder = folderOf({
      'plugins/tea.js': `export const tea = { name: 'tea', menu: [{ title: 'Tea', path: '/tea' }] }`,
      'plugins/menu.js': `export const menu = { name: 'menu', words: { parts: { menu: {} } }, register: ({ outline }) =>
        outline.plugins.map(({ name, file, parts }) => ({ name, file, parts })), routes: [
        { method: 'GET', path: '/menu', action: null, run: ({ service }) => ({ data: service }) }] }`,
      'config/plugins.js': `export default { tea: { resolve: './plugins/tea.js' }, menu: { resolve: './plugins/menu.js' } }`,
      'package.json': `{ "type": "module" }`,
    })
    const app = await createTestApp({ app: folder })
    onTestFinished(() => app.close())
    const tea = (await lines(app)).find(({ name }: { name: string }) => name === 'tea')
    assert.equal(tea.file, `${folder}/plugins/tea.js`)
    assert.deepEqual(tea.parts, { menu: [{ title: 'Tea', path: '/tea' }] })
  })
})
