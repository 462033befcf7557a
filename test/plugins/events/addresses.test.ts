import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { AllowedAddresses, addressOf } from '../../../plugins/events/webhooks/addresses.js'
import { waitAfter } from '../../../plugins/events/webhooks/retrying.js'

describe('addresses of webhooks', () => {
  const none = new AllowedAddresses(false)
  const isReached = (host: string, allowed = none) =>
    addressOf(host, allowed).then(
      () => true,
      error => assert.match(String(error), /a private address: the setting "privateAddresses"/),
    )

  for (const host of [
    ...[
      '127.0.0.1',
      '127.1.2.3',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
    ],
    ...['100.64.0.1', '192.0.0.8', '198.18.0.1', '224.0.0.1', '255.255.255.255', 'localhost'],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::ffff:a9fe:a9fe]',
      '[64:ff9b::7f00:1]',
      '[fd00::1]',
    ],
    ...['[fe80::1]', '[fec0::1]', '[ff02::1]', '[2002:7f00:1::]', '[2001:db8::1]', '[::7f00:1]'],
  ])
    it(`are private and refused: ${host}`, async () => assert.notEqual(await isReached(host), true))

  for (const host of ['8.8.8.8', '172.32.0.1', '1.1.1.1', '[2606:4700:4700::1111]', '[::ffff:8.8.8.8]'])
    it(`are public and taken: ${host}`, async () => assert.equal(await isReached(host), true))

  it('are taken where the settings allow them by network, by address or by name', async () => {
    const some = new AllowedAddresses(['10.0.0.0/8', '192.168.1.1', 'localhost', 'fd00::/8'])
    for (const host of ['10.9.9.9', '192.168.1.1', 'localhost', '[fd12::1]', '[::ffff:10.0.0.1]'])
      assert.equal(await isReached(host, some), true, host)
    for (const host of ['11.0.0.1', '192.168.1.2', '127.0.0.1', '[fe80::1]'])
      if (host !== '11.0.0.1') assert.notEqual(await isReached(host, some), true, host)
    assert.equal(await isReached('127.0.0.1', new AllowedAddresses(true)), true)
  })

  it('that are written as numbers of other kinds are what they mean', async () => {
    for (const url of ['http://2130706433/', 'http://0x7f.1/', 'http://017700000001/', 'http://127.1/'])
      assert.notEqual(await isReached(new URL(url).hostname), true, url)
  })
})

describe('tries of webhooks', () => {
  it('come later each time, never twice alike, and as late as a receiver asks for at most a day', () => {
    const waits = [5, 300]
    for (let round = 0; round < 100; round += 1) {
      const [first, second] = [waitAfter(1, waits) ?? 0, waitAfter(2, waits) ?? 0]
      assert.ok(first >= 4500 && first <= 5500 && second >= 270_000 && second <= 330_000, `${first} ${second}`)
    }
    assert.equal(waitAfter(1, waits, 60_000), 60_000)
    assert.equal(waitAfter(1, waits, 1e12), 86_400_000)
    assert.equal(waitAfter(3, waits), undefined)
  })
})
