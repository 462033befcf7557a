import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { inBrowser } from '../../../../support/pages/served.js'
import { servedConsole } from '../served.js'
import { assertWithoutBarriers, heading, rowOf } from '../settings.js'

const path = '/console/schema'
const file = 'src/api/tag/content-types/tag/schema.json'

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Schema file' })
const seePlan = (page: Page) => page.getByRole('button', { name: 'See the plan' }).click()

/** Types another text for the schema of tags. */
async function change(page: Page, work: (attributes: Record<string, unknown>) => void): Promise<void> {
  const schema = JSON.parse(await textOf(page).inputValue())
  work(schema.attributes)
  await textOf(page).fill(`${JSON.stringify(schema, undefined, 2)}\n`)
}

describe('the schema', inBrowser, () => {
  const served = servedConsole()

  it('shows types, components, relations as sentences, and the plan of the files as they are', () =>
    served.signedIn('ada', async page => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Schema' }).click()
      await heading(page, 'Schema').waitFor()
      const row = rowOf(page, 'Content types', /^Tag$/)
      assert.match(
        await row.innerText(),
        /api::tag\.tag[\s\S]*tags[\s\S]*src\/api\/tag\/content-types\/tag\/schema\.json/,
      )
      await rowOf(page, 'Components', /^Seo$/i).waitFor()
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Article.author Many entries of Article lead to one of Author.' })
        .waitFor()
      await page.getByRole('heading', { name: 'Plan', level: 2 }).waitFor()
      await page
        .getByRole('heading', { name: /Made by Strapi|as the content types ask for/ })
        .or(page.getByText('The database is as the content types ask for.'))
        .first()
        .waitFor()
      await row.getByRole('link', { name: 'Tag' }).click()
      await heading(page, 'Tag').waitFor()
      assert.equal(await page.evaluate('location.pathname'), '/console/schema/tag')
    }))

  it('shows the attributes of a type with their options, and leads to those that it is linked with', () =>
    served.signedIn(
      'ada',
      async page => {
        const title = rowOf(page, 'Attributes', /^title$/)
        assert.match(await title.innerText(), /string[\s\S]*required/)
        const author = rowOf(page, 'Attributes', /^author$/)
        await author.getByRole('link', { name: 'Author' }).click()
        await heading(page, 'Author').waitFor()
        await page.getByRole('heading', { name: 'Relations that lead here' }).waitFor()
      },
      { path: `${path}/article` },
    ))

  it('plans another text of a file: its difference, what is renamed, added and lost, and writes nothing', () =>
    served.signedIn(
      'ada',
      async page => {
        await change(page, attributes => {
          attributes.label = { ...(attributes.name as object), renamedFrom: 'name' }
          delete attributes.name
          attributes.weight = { type: 'integer' }
        })
        await seePlan(page)
        await page
          .getByRole('status')
          .getByText(/^The plan has \d+ changes to the database\.$/)
          .waitFor()
        const difference = page.getByRole('region', { name: `Difference 2 of ${file}` })
        assert.match(await difference.innerText(), /\+ +"renamedFrom": "name"/)
        const renames = page.getByRole('listitem').filter({ hasText: 'the column tags.name becomes label' })
        await renames.getByText('SQL').click()
        assert.match(await renames.innerText(), /rename column/i)
        await page.getByRole('listitem').filter({ hasText: 'add the column tags.weight' }).waitFor()
        // A draft stays while other types are looked at, and all of them are planned together.
        await page.getByRole('link', { name: '← Schema' }).click()
        await heading(page, 'Schema').waitFor()
        await rowOf(page, 'Content types', /^Tag$/).getByText('changed here').waitFor()
        await page.getByRole('button', { name: 'Discard all changes' }).click()
        await rowOf(page, 'Content types', /^Tag$/).getByText('changed here').waitFor({ state: 'detached' })
        assert.doesNotMatch(readFileSync(join(served.project().app.config.appDir, file), 'utf8'), /renamedFrom/)
      },
      { path: `${path}/tag` },
    ))

  it('has the choice of removals, and the focus on it, while the plan is read again', () =>
    served.signedIn(
      'ada',
      async page => {
        await change(page, attributes => {
          delete attributes.name
        })
        await seePlan(page)
        const removals = page.getByRole('checkbox', { name: 'Remove from the database' }).and(page.locator(':focus'))
        await page.getByRole('checkbox', { name: 'Remove from the database' }).focus()
        let goOn = () => {}
        const isHeld = new Promise<void>(resolve => {
          goOn = resolve
        })
        await page.route(/\/schema\/plan$/, async route => {
          await isHeld
          await route.fallback()
        })
        const planned = page.waitForResponse(/\/schema\/plan$/)
        await page.keyboard.press('Space')
        await page.locator('section[aria-busy=true]').waitFor()
        assert.equal(await removals.count(), 1)
        goOn()
        await planned
        await page.locator('section[aria-busy=false]').waitFor()
        assert.equal(await removals.isChecked(), true)
        await removals.press('Space')
        await page.getByRole('button', { name: 'Discard all changes' }).click()
      },
      { path: `${path}/tag` },
    ))

  it('says which attribute is wrong, and what is accepted', () =>
    served.signedIn(
      'ada',
      async page => {
        await change(page, attributes => {
          attributes.name = { type: 'string', renamedFrom: 'color' }
        })
        await seePlan(page)
        const problem = page.getByRole('alert').filter({ hasText: 'attribute "name": renamedFrom names "color"' })
        await problem.waitFor()
        await rowOf(page, 'Attributes', /^name changed/)
          .getByText('renamedFrom names "color"')
          .waitFor()
        await textOf(page).fill('{ "info": }')
        await seePlan(page)
        await page.getByRole('alert').filter({ hasText: 'is not valid JSON: line 1, column 11' }).waitFor()
        await page.getByRole('button', { name: 'Discard this change' }).click()
        await seePlan(page)
        await page.getByRole('alert').waitFor({ state: 'detached' })
      },
      { path: `${path}/tag` },
    ))

  it('is not there for other accounts', () =>
    served.signedIn(
      'edda',
      async page => {
        await heading(page, 'Nothing here').waitFor()
        assert.equal(await page.getByRole('link', { name: 'Schema' }).count(), 0)
      },
      { path },
    ))

  it('has no barriers that axe knows, and is reached by keys', () =>
    assertWithoutBarriers(served, 'ada', path, async (page, look) => {
      await page.getByText('The database is as the content types ask for.').or(page.getByText('SQL').first()).waitFor()
      await look('schema')
      await rowOf(page, 'Content types', /^Tag$/).getByRole('link', { name: 'Tag' }).click()
      await heading(page, 'Tag').waitFor()
      await change(page, attributes => {
        attributes.weight = { type: 'integer' }
        delete attributes.name
      })
      await seePlan(page)
      await page.getByRole('region', { name: `Difference 1 of ${file}` }).waitFor()
      await look('schema-type')
      await page.getByRole('button', { name: 'Add attribute', exact: true }).click()
      const form = page.getByRole('dialog', { name: 'Add attribute' })
      await form.getByRole('combobox', { name: 'Type' }).selectOption('relation')
      await form.getByRole('combobox', { name: 'Leads to' }).selectOption('api::author.author')
      await form.getByText('Rarely needed options').click()
      await look('schema-attribute')
      await page.keyboard.press('Escape')
      await page
        .getByRole('dialog', { name: 'Leave without saving?' })
        .getByRole('button', { name: 'Discard changes' })
        .click()
    }))
})
