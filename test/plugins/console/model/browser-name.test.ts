import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { browserName } from '../../../../plugins/console/model/browser-name.js'

const mozilla = 'Mozilla/5.0'

describe('the name of a browser', () => {
  const cases = [
    { agent: `${mozilla} (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`, is: 'Firefox, Linux' },
    {
      agent: `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0`,
      is: 'Edge, Windows',
    },
    {
      agent: `${mozilla} (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36`,
      is: 'Chrome, Android',
    },
    {
      agent: `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1`,
      is: 'Safari, iOS',
    },
    { agent: `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15`, is: 'Safari, macOS' },
    { agent: 'curl/8.5.0', is: undefined },
    { agent: null, is: undefined },
  ]
  for (const { agent, is } of cases)
    it(`${is} is read from ${agent?.slice(0, 60)}`, () => assert.equal(browserName(agent), is))
})
