import assert from 'node:assert/strict'
import { describe, it, onTestFinished, vi } from 'vitest'
import { createTestApp, definePlugin, type SettingsOf } from '../../../../core/index.js'
import { createThrottle, type throttleSettings } from '../../../../plugins/users-permissions/throttle/index.js'
import { BoundedLimiter } from '../../../../plugins/users-permissions/throttle/limiter.js'

type Settings = SettingsOf<typeof throttleSettings>
const minute = 60_000
const settings: Settings = {
  enabled: true,
  store: 'memory',
  max: 10,
  interval: minute,
  account: { max: 50, interval: 60 * minute },
  mails: { max: 5, interval: 60 * minute },
}

interface Attempt {
  readonly account?: string
  readonly from?: string
  readonly bucket?: string
  readonly path?: string
  readonly headers?: Record<string, string>
}

/** A server with one guarded route, and a clock that the test turns. */
async function guarded(changes: Partial<Settings> = {}, proxy: boolean | string[] = false) {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const pass = (time: number) => vi.setSystemTime(Date.now() + time)
  const throttle = createThrottle({ ...settings, ...changes }, { processes: 1 })
  const plugin = definePlugin({
    name: 'guarded',
    routes: [
      {
        method: 'POST',
        path: '/guarded/:bucket',
        action: null,
        async run({ ctx, params, body }) {
          await throttle.check(ctx, params.bucket as string, (body as { account?: string }).account)
          return { passed: true }
        },
      },
    ],
  })
  const app = await createTestApp({ plugins: [plugin], config: { server: { proxy } } })
  onTestFinished(() => app.close())
  const attempt = ({ account, from = '192.0.2.1', bucket = 'login', path, headers = {} }: Attempt = {}) =>
    app.inject({
      method: 'POST',
      url: path ?? `/api/guarded/${bucket}`,
      remoteAddress: from,
      headers,
      payload: account === undefined ? {} : { account },
    })
  const statuses = async (attempts: readonly Attempt[]): Promise<number[]> => {
    const all: number[] = []
    for (const one of attempts) all.push((await attempt(one)).statusCode)
    return all
  }
  return { pass, throttle, attempt, statuses }
}

const times = (count: number, make: (index: number) => Attempt = () => ({})): Attempt[] =>
  Array.from({ length: count }, (_, index) => make(index))
const passed = (count: number): number[] => Array(count).fill(200)

describe('attempts from one address', () => {
  it('are ten a minute, and the next one is 429 with the time to wait', async () => {
    const { attempt, statuses } = await guarded()
    assert.deepEqual(await statuses(times(10)), passed(10))
    const refused = await attempt()
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.headers['retry-after'], '60')
    assert.deepEqual(refused.json(), {
      data: null,
      error: {
        status: 429,
        name: 'RateLimitError',
        message: 'Too many requests, please try again later.',
        details: {},
      },
    })
  })

  it('count again when the time has passed, not a moment earlier', async () => {
    const { pass, attempt, statuses } = await guarded()
    await statuses(times(10))
    pass(minute - 1)
    assert.equal((await attempt()).headers['retry-after'], '1')
    pass(1)
    assert.equal((await attempt()).statusCode, 200)
  })

  it('are told in the headers: how many, how many are left, and when they start anew', async () => {
    const { attempt } = await guarded()
    const { headers } = await attempt({ account: 'ada' })
    assert.equal(headers['x-ratelimit-limit'], '10')
    assert.equal(headers['x-ratelimit-remaining'], '9')
    assert.equal(headers['x-ratelimit-reset'], String((Date.now() + minute) / 1000))
  })

  it('do not count for another address', async () => {
    const { statuses } = await guarded()
    assert.deepEqual(await statuses([...times(10), { from: '192.0.2.2' }]), passed(11))
  })

  it('do not count for another route', async () => {
    const { statuses } = await guarded()
    assert.deepEqual(await statuses([...times(10), { bucket: 'register' }]), passed(11))
  })

  const spellings = [
    { says: 'a trailing slash', change: { path: '/api/guarded/login/' } },
    { says: 'capitals in the path', change: { path: '/API/GUARDED/login' } },
    { says: 'a query string', change: { path: '/api/guarded/login?x=1' } },
    { says: 'another account', change: { account: 'grace' } },
    { says: 'a made-up proxy header', change: { headers: { 'x-forwarded-for': '198.51.100.7' } } },
    { says: 'the IPv6 form of the address', change: { from: '::ffff:192.0.2.1' } },
  ]
  for (const { says, change } of spellings)
    it(`are not escaped by ${says}`, async () => {
      const { attempt, statuses } = await guarded()
      await statuses(times(10))
      assert.equal((await attempt(change)).statusCode, 429)
    })

  it('come from one network when they come from many IPv6 addresses of it', async () => {
    const { attempt, statuses } = await guarded()
    assert.deepEqual(await statuses(times(10, index => ({ from: `2001:db8:1:2::${index + 1}` }))), passed(10))
    assert.equal((await attempt({ from: '2001:0DB8:0001:0002:ffff:1:2:3' })).statusCode, 429)
    assert.equal((await attempt({ from: '2001:db8:1:3::1' })).statusCode, 200)
    assert.equal((await attempt({ from: '2001:db8::1:2:0:1' })).statusCode, 200)
  })

  it('are told apart by what a trusted proxy says', async () => {
    const { attempt, statuses } = await guarded({}, ['192.0.2.1'])
    const behind = (ip: string): Attempt => ({ headers: { 'x-forwarded-for': ip } })
    await statuses(times(10, () => behind('203.0.113.1')))
    assert.equal((await attempt(behind('203.0.113.1'))).statusCode, 429)
    assert.equal((await attempt(behind('203.0.113.2'))).statusCode, 200)
    assert.equal((await attempt(behind('198.51.100.1, 203.0.113.1'))).statusCode, 429)
  })
})

describe('attempts at one account', () => {
  const elsewhere = (account: string) => (index: number) => ({ account, from: `198.51.100.${index}` })

  it('are fifty an hour, wherever they come from', async () => {
    const { pass, attempt, statuses } = await guarded()
    assert.deepEqual(await statuses(times(50, elsewhere('ada@example.com'))), passed(50))
    const refused = await attempt({ account: 'ada@example.com', from: '203.0.113.5' })
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.headers['retry-after'], '3600')
    assert.equal(refused.headers['x-ratelimit-limit'], '50')
    assert.equal(refused.headers['x-ratelimit-remaining'], '0')
    assert.equal((await attempt({ account: 'grace@example.com', from: '203.0.113.5' })).statusCode, 200)
    pass(60 * minute)
    assert.equal((await attempt({ account: 'ada@example.com', from: '203.0.113.5' })).statusCode, 200)
  })

  const spellings = [
    'ADA@Example.com',
    '  ada@example.com ',
    'adà@example.com',
    'ada\u200b@example.com',
    '\uff41da@example.com',
    'ada@example.com\u0000',
  ]
  for (const spelling of spellings)
    it(`are not escaped by the spelling ${JSON.stringify(spelling)}`, async () => {
      const { attempt, statuses } = await guarded()
      await statuses(times(50, elsewhere('ada@example.com')))
      assert.equal((await attempt({ account: spelling, from: '203.0.113.5' })).statusCode, 429)
    })

  it('are not counted where the address was refused, so that one address cannot lock an account', async () => {
    const { attempt, statuses } = await guarded()
    await statuses(times(80, () => ({ account: 'ada' })))
    assert.equal((await attempt({ account: 'ada', from: '203.0.113.5' })).statusCode, 200)
  })

  it('are forgotten when the owner signs in', async () => {
    const { throttle, attempt, statuses } = await guarded()
    await statuses(times(50, elsewhere('ada')))
    await throttle.forget('login', 'Ada ')
    assert.equal((await attempt({ account: 'ada', from: '203.0.113.5' })).statusCode, 200)
  })

  for (const bucket of ['forgot-password', 'send-email-confirmation'])
    it(`that send mail are five an hour: ${bucket}`, async () => {
      const { attempt, statuses } = await guarded()
      const mails = times(5, index => ({ ...elsewhere('ada')(index), bucket }))
      assert.deepEqual(await statuses(mails), passed(5))
      assert.equal((await attempt({ account: 'ada', from: '203.0.113.5', bucket })).statusCode, 429)
    })
})

describe('the settings', () => {
  it('change the rates', async () => {
    const { statuses } = await guarded({ max: 2 })
    assert.deepEqual(await statuses(times(3)), [200, 200, 429])
  })

  it('turn it off, and then there are no headers', async () => {
    const { attempt, statuses } = await guarded({ enabled: false })
    assert.deepEqual(await statuses(times(30, () => ({ account: 'ada' }))), passed(30))
    assert.equal((await attempt()).headers['x-ratelimit-limit'], undefined)
  })
})

describe('the memory', () => {
  it('holds so many keys and no more: what was used longest ago makes room', async () => {
    const limiter = new BoundedLimiter({ max: 1, interval: minute }, 100)
    const counted = async (key: string) => (await limiter.attempt(key)).consumedPoints
    await counted('first')
    for (let index = 0; index < 99; index += 1) await counted(`other ${index}`)
    assert.equal(await counted('first'), 2)
    for (let index = 0; index < 100; index += 1) await counted(`more ${index}`)
    assert.equal(await counted('first'), 1)
  })
})
