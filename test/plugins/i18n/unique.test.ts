import assert from 'node:assert/strict'
import { it } from 'vitest'
import { contract, refused } from '../../support/contract.js'
import { localize, world } from './world.js'

const notUnique = {
  status: 400,
  name: 'ValidationError',
  message: /^(code|slug) must be unique; another entry has this value$/,
}

contract('unique values', world(), api => {
  for (const name of ['code', 'slug']) {
    it(`${name}: are so within a locale`, async () => {
      const data = { title: 'en', [name]: 'same' }
      const { id } = (await api.send('POST', '/articles', { data })).body.data
      assert.equal((await api.send('POST', '/articles', { data: { ...data, locale: 'fr' } })).status, 200)
      refused(await api.send('POST', '/articles', { data }), notUnique)
      const de = await localize(api.app, 'articles', id, { ...data, locale: 'de' })
      assert.equal((await api.get(`/articles/${de}`)).body.data.attributes[name], 'same')
      const { body } = await api.send('POST', '/articles', { data: { title: 'other', locale: 'de' } })
      const answer = await api.send('PUT', `/articles/${body.data.id}`, { data: { [name]: 'same' } })
      refused(answer, notUnique)
      assert.deepEqual(answer.body.error.details.errors[0].path, [name])
    })
    it(`${name}: of requests at the same time one wins`, async () => {
      const data = { title: 'en', [name]: 'raced' }
      const answers = await Promise.all([1, 2, 3, 4].map(() => api.send('POST', '/articles', { data })))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
      for (const answer of answers) if (answer.status === 400) refused(answer, notUnique)
    })
  }
})
