import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { accentSheet, contrast } from '../../../plugins/console/brand/accent.js'
import { Brand, type BrandSettings } from '../../../plugins/console/brand/brand.js'
import { Dice } from '../explorer/random.js'

const folder = mkdtempSync(path.join(tmpdir(), 'brand-'))
afterAll(() => rmSync(folder, { recursive: true }))

const open = (brand: BrandSettings, purpose: 'serve' | 'command' = 'serve') =>
  Brand.open({ app: { appDir: folder }, config: { brand }, purpose } as Parameters<typeof Brand.open>[0])

const page = '<!doctype html>\n<html lang="en"><head></head><body></body></html>'

describe('the brand of an app', () => {
  it('is in the page before anyone has signed in, with files whose names change with their content', async () => {
    writeFileSync(path.join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const brand = await open({ name: 'Bread & "more" <b>$&', logo: 'logo.svg', accent: '#b3541e' })
    const html = brand.edit(page)
    const name = 'data-brand="Bread &amp; &quot;more&quot; &lt;b>$&amp;"'
    assert.ok(html.includes(`<html ${name} data-logo="/console/brand/logo-`))
    const files = [...html.matchAll(/"\/console\/brand\/([^"]+)"/g)].map(([, file]) => file as string)
    assert.deepEqual(
      files.map(file => brand.file(file)?.type),
      ['image/svg+xml', 'text/css; charset=utf-8'],
    )
    writeFileSync(path.join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="2"/>')
    const later = await open({ logo: 'logo.svg' })
    assert.ok(!later.edit(page).includes(files[0] as string))
    assert.equal(later.file(files[0] as string), undefined)
  })

  it('is nothing where there are no settings', async () => {
    assert.equal((await open({})).edit(page), page)
  })

  const refused = {
    'is no picture for the web': 'logo.txt',
    'is not in the folder of the app': '../logo.svg',
    'is not there': 'other.svg',
  }
  for (const [message, logo] of Object.entries(refused))
    it(`stops the start where the logo ${message}`, () =>
      assert.rejects(open({ logo }), new RegExp(`console\\.config\\.brand\\.logo: "${logo}" ${message}`)))

  it('has a colour that can be read on all grounds, whatever was given', () => {
    const dice = new Dice(1)
    const given = ['#000000', '#ffffff', '#ffff00', '#0000ff', '#777777']
    for (let index = 0; index < 200; index += 1) given.push(`#${dice.below(0x1000000).toString(16).padStart(6, '0')}`)
    for (const accent of given) {
      const [day, night, dayTint, nightTint] = colours(accentSheet(accent))
      for (const ground of ['#ffffff', '#f6f7f9', dayTint]) assert.ok(contrastOf(day, ground) >= 4.5, accent)
      for (const ground of ['#10131a', '#14161a', '#1a1d22', '#22262d', nightTint])
        assert.ok(contrastOf(night, ground) >= 4.5, accent)
    }
    // One that can be read stays.
    assert.equal(colours(accentSheet('#2f55c7'))[0], '#2f55c7')
  })
})

const colours = (sheet: string): string[] => sheet.match(/#[0-9a-f]{6}/g) ?? []

const contrastOf = (one = '', other = ''): number => contrast(partsOf(one), partsOf(other))

const partsOf = (colour: string): number[] => [...Buffer.from(colour.slice(1), 'hex')]
