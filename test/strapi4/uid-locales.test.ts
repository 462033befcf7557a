import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { it, onTestFinished } from 'vitest'
import { layoutOf } from '../schema/found.js'
import { onEveryEngine } from '../support/every-engine.js'
import { copyProject, openProject } from './project.js'

/** A new database, as a project of Strapi 4 gets it from stele when it moves to another engine. */
onEveryEngine('a database that stele makes for a project of Strapi 4', engine => {
  async function opened() {
    const project = copyProject()
    rmSync(project.database)
    onTestFinished(() => project.remove())
    const fresh = await engine.fresh()
    onTestFinished(() => fresh.drop())
    const first = await openProject(project, fresh.env)
    await first.app.entries('plugin::i18n.locale').create({ code: 'fr', name: 'French' })
    await first.close()
    const open = await openProject(project, fresh.env)
    onTestFinished(() => open.close())
    return { entries: open.app.entries('api::article.article'), database: fresh.database }
  }

  it('refuses one uid in two locales, as the unique index of Strapi does', async () => {
    const { entries, database } = await opened()
    const create = async (data: object) => Number((await entries.create({ ...data })).id)
    const id = await create({ title: 'a', slug: 'same', locale: 'en' })
    const refused = { status: 400, message: /must be unique/ }
    await assert.rejects(create({ title: 'b', slug: 'same', locale: 'fr' }), refused)
    const other = await create({ title: 'b', slug: 'other', locale: 'fr' })
    await assert.rejects(entries.update(other, { slug: 'same' }), refused)
    await entries.update(id, { slug: 'same', title: 'c' })
    const { indexes } = await layoutOf(database)
    const found = indexes.find(({ name }) => name === 'articles_slug_unique')
    assert.deepEqual([found?.unique, found?.columns], [true, ['slug']])
  })
})
