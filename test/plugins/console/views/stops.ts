import type { Locator, Page } from 'playwright-core'

/** A page with its texts: `t` has them by their keys, as the page does. */
export interface Walker {
  readonly page: Page
  readonly t: (key: string, values?: Readonly<Record<string, string | number>>) => string
}

export interface Stop {
  readonly name: string
  /** Its address; without one, it is what opens from the stop before. */
  readonly path?: string
  /** Opens it, and waits until all of it is there. */
  readonly open: (walker: Walker) => Promise<void>
}

type Role = Parameters<Page['getByRole']>[0]

const named = ({ page, t }: Walker, role: Role, key: string, values = {}): Locator =>
  page.getByRole(role, { name: t(key, values), exact: true }).first()

const press =
  (key: string, values = {}) =>
  (walker: Walker) =>
    named(walker, 'button', key, values).click()

const dialog = ({ page }: Walker) => page.locator('dialog[open]').last().waitFor()

/** Opens a dialog by a button. */
const asks =
  (key: string, values = {}) =>
  async (walker: Walker) => {
    await press(key, values)(walker)
    await dialog(walker)
    await settled(walker)
  }

/** Closes dialogs and menus. */
async function closed({ page, t }: Walker): Promise<void> {
  while ((await page.locator('dialog[open]').count()) > 0) {
    await page.keyboard.press('Escape')
    for (const key of ['kept.discard', 'leaving.discard']) {
      const discard = page.getByRole('button', { name: t(key), exact: true })
      if (await discard.isVisible()) await discard.click()
    }
  }
  await page.keyboard.press('Escape')
}

/** Waits until nothing of the page is being read. */
async function settled({ page }: Walker): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

const heading = async (walker: Walker) => {
  await walker.page.getByRole('heading', { level: 1 }).waitFor()
  await settled(walker)
}

/** What opens by steps after all that was open is closed. */
const then =
  (...steps: readonly ((walker: Walker) => Promise<void>)[]) =>
  async (walker: Walker) => {
    await closed(walker)
    for (const step of steps) await step(walker)
  }

/** Opens an item of a menu of an entry. */
const item = (key: string) => async (walker: Walker) => {
  await press('entry.more')(walker)
  await named(walker, 'menuitem', key).click()
  await dialog(walker)
  await settled(walker)
}

const list = async ({ page }: Walker) => page.locator('table.list tbody th').first().waitFor()
const form = async ({ page }: Walker) => page.getByRole('form').first().waitFor()
const choose = async (walker: Walker) => named(walker, 'checkbox', 'list.selectPage').check()

const section = (name: string): Stop => ({ name, path: `/settings/${name}`, open: heading })

export const stops: readonly Stop[] = [
  { name: 'home', path: '', open: heading },
  {
    name: 'go-to',
    open: async walker => {
      await press('goTo')(walker)
      await walker.page.getByRole('option', { name: 'Readers', exact: true }).waitFor()
    },
  },
  { name: 'list', path: '/c/article', open: list },
  {
    name: 'filters',
    open: async walker => {
      await press('filters')(walker)
      await named(walker, 'combobox', 'filters.field').selectOption('title')
      await named(walker, 'textbox', 'filters.value').fill('bread')
      await press('filters.addGroup')(walker)
    },
  },
  {
    name: 'save-view',
    path: '/c/article?state=draft',
    open: async walker => {
      await list(walker)
      await press('filters')(walker)
      await asks('views.save')(walker)
    },
  },
  {
    name: 'columns',
    path: '/c/article',
    open: async walker => {
      await list(walker)
      await press('columns')(walker)
    },
  },
  { name: 'chosen', open: then(choose) },
  { name: 'change-fields', open: asks('do.update') },
  { name: 'export', open: then(asks('do.export')) },
  { name: 'delete-entries', open: then(asks('do.delete')) },
  {
    name: 'trash',
    path: '/c/article?state=trash',
    open: async walker => {
      await heading(walker)
      await walker.page.evaluate(`fetch('/console/api/articles/7', { method: 'DELETE' })`)
      await walker.page.reload()
      await list(walker)
    },
  },
  {
    name: 'trashed',
    open: async walker => {
      await walker.page.locator('table.list tbody th a').first().click()
      await walker.page.getByText(walker.t('trash.text')).waitFor()
      await form(walker)
    },
  },
  { name: 'entry', path: '/c/article/1', open: form },
  { name: 'more-actions', open: press('entry.more') },
  { name: 'schedule', open: then(item('schedule')) },
  { name: 'copy-language', open: then(item('entry.copyLanguage')) },
  { name: 'delete', open: then(item('do.delete')) },
  { name: 'choose-file', open: then(asks('files.choose', { label: 'cover' })) },
  { name: 'add-component', open: then(asks('items.add', { label: 'parts' })) },
  {
    name: 'problems',
    path: '/c/article/3',
    open: async walker => {
      await form(walker)
      await walker.page.getByRole('textbox', { name: 'title', exact: true }).fill('')
      await press('entry.save')(walker)
      await walker.page.locator('.problems a').first().waitFor()
    },
  },
  {
    name: 'conflict',
    path: '/c/article/2',
    open: async walker => {
      const { page } = walker
      await form(walker)
      await page.evaluate(`fetch('/console/api/articles/2', { method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ data: { title: 'A radio at five ' + Math.random(), minutes: 10 } }) })`)
      await page.getByRole('textbox', { name: 'title', exact: true }).fill('A radio that sings')
      await press('entry.save')(walker)
      await page.getByRole('dialog').getByRole('table').waitFor()
    },
  },
  {
    name: 'side-by-side',
    path: '/c/article/1?beside=de',
    open: async walker => {
      await walker.page.locator('.other-language form').waitFor({ state: 'attached' })
    },
  },
  { name: 'versions', path: '/c/article/1/versions', open: heading },
  { name: 'version', open: asks('versions.showOne', { number: 1 }) },
  { name: 'new-entry', path: '/c/author/new', open: form },
  { name: 'single', path: '/s/homepage', open: form },
  {
    name: 'blocks',
    path: '/c/story/1',
    open: async ({ page }) => page.getByRole('textbox', { name: 'body' }).waitFor(),
  },
  {
    name: 'blocks-link',
    open: async walker => {
      await walker.page.getByRole('textbox', { name: 'body', exact: true }).press('Control+a')
      await asks('blocks.link')(walker)
    },
  },
  {
    name: 'media',
    path: '/media',
    open: async walker => {
      await heading(walker)
      await walker.page.locator('.media-grid li').first().waitFor()
    },
  },
  { name: 'new-folder', open: asks('media.newFolder') },
  {
    name: 'file',
    open: then(async walker => {
      await walker.page.locator('.media-file').first().click()
      await dialog(walker)
      await settled(walker)
    }),
  },
  {
    name: 'move-files',
    open: then(async walker => {
      await walker.page.locator('.media-grid input[type=checkbox]').first().check()
      await asks('media.doMove')(walker)
    }),
  },
  { name: 'delete-files', open: then(asks('do.delete')) },
  section('accounts'),
  { name: 'invite', open: asks('accounts.invite') },
  { name: 'account', path: '/settings/accounts/2', open: heading },
  section('roles'),
  { name: 'new-role', open: asks('roles.new') },
  {
    name: 'role',
    path: '/settings/roles/2',
    open: async walker => {
      await heading(walker)
      await press('roles.details', { type: 'Article' })(walker)
    },
  },
  { name: 'role-code', open: asks('roles.code') },
  section('tokens'),
  { name: 'token', path: '/settings/tokens/new', open: heading },
  section('webhooks'),
  {
    name: 'webhook',
    open: async walker => {
      await walker.page.getByRole('link', { name: 'site', exact: true }).click()
      await walker.page.getByRole('heading', { name: 'site', level: 1 }).waitFor()
      await settled(walker)
    },
  },
  section('languages'),
  { name: 'add-language', open: asks('languages.add') },
  section('api-roles'),
  { name: 'api-role', path: '/settings/api-roles/1', open: heading },
  section('activity'),
  section('profile'),
  { name: 'layout', path: '/layout/article', open: heading },
  { name: 'schema', path: '/schema', open: heading },
  { name: 'schema-new-type', open: asks('schema.newType') },
  { name: 'schema-new-component', open: then(asks('schema.newComponent')) },
  { name: 'schema-type', path: '/schema/article', open: heading },
  { name: 'schema-attribute', open: asks('schema.addAttribute') },
  {
    name: 'schema-relation',
    open: async walker => {
      await named(walker, 'combobox', 'schema.type').selectOption('relation')
      await named(walker, 'combobox', 'schema.relationKind').selectOption('manyToMany')
      await named(walker, 'combobox', 'schema.target').selectOption('api::tag.tag')
    },
  },
  { name: 'schema-change', open: then(asks('schema.changeOf', { name: 'title' })) },
  { name: 'schema-rename', open: then(asks('schema.rename')) },
  { name: 'schema-remove-type', open: then(asks('schema.removeType')) },
  { name: 'schema-remove', open: then(asks('schema.removeOf', { name: 'minutes' })) },
  {
    name: 'schema-plan',
    open: async walker => {
      await press('schema.remove')(walker)
      await press('schema.see')(walker)
      await walker.page
        .getByText(/drop the column articles\.minutes/)
        .first()
        .waitFor()
      await settled(walker)
    },
  },
  { name: 'page', path: '/x/console/readers', open: heading },
  { name: 'nowhere', path: '/c/nothing', open: heading },
]
