import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { reaches } from './reaches.js'

describe('reaching a module', () => {
  const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const cases = [
    { says: 'is importing it', from: ['engines.test.ts'], to: 'engines.ts', gives: true },
    { says: 'is importing something that does', from: ['engines.test.ts'], to: 'daemon.ts', gives: true },
    { says: 'is enough for one of several', from: ['closing-line.ts', 'engines.ts'], to: 'daemon.ts', gives: true },
    { says: 'is being it', from: ['daemon.ts'], to: 'daemon.ts', gives: true },
    { says: 'is not living beside it', from: ['closing-line.ts'], to: 'daemon.ts', gives: false },
    { says: 'is not being imported by it', from: ['free-port.ts'], to: 'daemon.ts', gives: false },
  ]
  for (const { says, from, to, gives } of cases) {
    it(says, () => assert.equal(reaches(from.map(file), file(to)), gives))
  }
})
