import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { directionOf, languageAmong, ownName } from '../../../../plugins/console/model/language.js'

describe('the language of the page', () => {
  const known = ['en', 'de', 'pt-BR', 'pt-PT']
  const cases: readonly { wanted: readonly (string | null)[]; is: string | undefined }[] = [
    { wanted: ['de'], is: 'de' },
    { wanted: ['de-AT', 'en'], is: 'de' },
    { wanted: ['DE_ch'], is: 'de' },
    { wanted: [null, 'nl', 'en-GB', 'de'], is: 'en' },
    { wanted: ['pt-pt'], is: 'pt-PT' },
    { wanted: ['pt'], is: 'pt-BR' },
    { wanted: ['den', 'd', '', 'no such code'], is: undefined },
  ]
  for (const { wanted, is } of cases)
    it(`is ${is ?? 'none'} for ${wanted.join(', ')}`, () => assert.equal(languageAmong(known, wanted), is))

  it('has its own direction and its own name', () => {
    assert.deepEqual(['en', 'de-AT', 'ar', 'he-IL', 'arn'].map(directionOf), ['ltr', 'ltr', 'rtl', 'rtl', 'ltr'])
    assert.deepEqual(['en', 'de', 'fr', 'es'].map(ownName), ['English', 'Deutsch', 'Français', 'Español'])
  })
})
