import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { SortKeys } from '../../core/engines/sqlite/sort-keys.js'

/** Letters for test words of each language: letters that it sorts in a way of its own, among others. */
const languages: Readonly<Record<string, readonly string[]>> = {
  de: [...'abcäöüßszoeAÄOS z'],
  en: [...'aAbBéE -12'],
  fr: [...'eéèêëaàçcœoO'],
  sv: [...'aåäözAÅÄÖvwé'],
  da: [...'åæøzoØÅe', 'aab', 'Aab', 'ab'],
  nb: [...'åæøzoØÅeb'],
  fi: [...'aäöåzvwšž'],
  cs: [...'cčhidšřs', 'ch', 'Ch', 'CH', 'z', 'ž'],
  sk: ['ch', ...'ciočďáäô'],
  hu: ['cs', 'sz', 'zs', 'dz', 'dzs', 'gy', 'ly', 'ny', 'ty', ...'abáöőüéi'],
  hr: ['dž', 'lj', 'nj', ...'abcčćđdez'],
  pl: [...'ąaćclłóozżź'],
  es: [...'nñolaAé'],
  lt: [...'yikįsšž'],
  tr: [...'ıiİIşsğgzç'],
  vi: [...'aăâáấđdeê'],
  cy: ['ll', 'dd', 'ff', 'ch', 'ng', 'rh', 'th', ...'abeiouw'],
  ru: [...'абвгдеёжзийАЯ'],
  uk: [...'гґдеєіїиь'],
  el: [...'αάβγΑΩώς'],
  ja: [...'あアいカかが漢字日本'],
  zh: [...'中文字日本啊波'],
}

const bytes = (text: string) => Buffer.from(text)

describe('keys that sort as a language does', () => {
  for (const [language, letters] of Object.entries(languages))
    it(`agree with ${language}`, () => {
      const keys = new SortKeys(language)
      const { compare } = new Intl.Collator(language)
      let state = 7
      const below = (count: number) => {
        state = (state * 48_271) % 2_147_483_647
        return state % count
      }
      const word = () => Array.from({ length: 1 + below(4) }, () => letters[below(letters.length)]).join('')
      const wrong: string[] = []
      for (let round = 0; round < 1500; round += 1) {
        const [one, other] = [word(), word()]
        const order = Buffer.compare(bytes(keys.of(one)), bytes(keys.of(other)))
        if (order !== Math.sign(compare(one, other))) wrong.push(`${one} ${other}`)
      }
      assert.deepEqual(wrong, [])
    })

  it('are the same for the same text, composed or not, and endless for none', () => {
    const keys = new SortKeys('de')
    assert.equal(keys.of('\u00e4'), keys.of('a\u0308'))
    assert.notEqual(keys.of('a'), keys.of('\u00e4'))
    for (const letter of ['x', 'ß', '\u0308', '\u{1f600}', '漢'])
      assert.ok(keys.of(letter.repeat(100_000)).length <= 1000, letter)
    assert.ok(keys.of('\u{1f600}') > keys.of('zzz'))
    assert.equal(keys.of('\ud800'), keys.of('\ud800'))
  })

  it('are made in a thread as they are here', () => {
    const Copy = new Function(`return ${SortKeys}`)() as typeof SortKeys
    assert.equal(new Copy('cs').of('Chléb'), new SortKeys('cs').of('Chléb'))
  })
})
