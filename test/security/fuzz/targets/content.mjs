import assert from 'node:assert/strict'
import { smallApp } from '../small-app.mjs'
import { questions, words } from './words.mjs'

const hidden = /TOPSECRET|sqlite|node_modules|\.js:\d/i

/** A whole read: 200, or a 4xx that says which parameter is wrong, and nothing that is hidden. */
export async function content({ folder }) {
  const apps = []
  for (const dialect of ['spec', 'strapi4']) apps.push(await smallApp(dialect, folder))
  return {
    seeds: questions,
    tokens: words,
    async run(input) {
      const text = input.toString('latin1').replaceAll('#', '%23')
      // The length chooses who is asked, so that the same input always asks the same.
      const [app, path] = [apps[input.length % 2], input.length % 4 < 3 ? '/api/articles' : '/api/articles/1']
      const { statusCode, payload } = await app.inject({ method: 'GET', url: path, query: text })
      assert.ok(statusCode === 200 || (statusCode >= 400 && statusCode < 500), payload)
      if (statusCode === 200) assert.doesNotMatch(payload, /TOPSECRET/)
      else assert.doesNotMatch(payload.split(text).join('').slice(0, 80), hidden)
      JSON.parse(payload)
    },
    close: () => Promise.all(apps.map(app => app.close())),
  }
}
