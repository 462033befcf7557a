import { strict as assert } from 'node:assert'
import { it } from 'vitest'
import { type Caller, definePlugin, flag, late, oneOf, where } from '../../core/index.js'

// Each line below an expectation must not compile; `npm run check` fails where one does.

it('are kept by the compiler: this file is part of `npm run check`', () => {
  const tones = definePlugin({
    name: 'tones',
    params: { tone: oneOf('plain', 'loud'), upper: flag() },
    register: () => ({ shout: (text: string) => `${text}!` }),
  })

  const promises = [
    definePlugin({
      name: 'needed-parameter',
      uses: [tones],
      // A parameter of a plugin that is needed is visible, with its type.
      hooks: { beforeFind: (query, { params }) => (params.tone === 'loud' && params.upper ? query : query) },
    }),
    definePlugin({
      name: 'undeclared-parameter',
      // @ts-expect-error a parameter of a plugin that is not in `uses` is invisible
      hooks: { beforeFind: (query, { params }) => (params.tone ? query : query) },
    }),
    definePlugin({
      name: 'unknown-word',
      uses: [tones],
      // @ts-expect-error a parameter never is a word that it does not take
      hooks: { beforeFind: (query, { params }) => (params.tone === 'shrill' ? query : query) },
    }),
    definePlugin({
      name: 'misspelt-hook',
      // @ts-expect-error there is no such hook
      hooks: { beforeFnid: query => query },
    }),
    definePlugin({
      name: 'caller-in-a-plan',
      // @ts-expect-error a plan serves every caller of a scope, so no hook that makes one sees the caller
      hooks: { beforeFind: (query, { caller }) => where(query, { owner: caller.id }) },
    }),
    definePlugin({
      name: 'clock-in-a-plan',
      // @ts-expect-error a plan serves later requests too, so no hook that makes one sees the clock
      hooks: { beforeFind: (query, { now }) => where(query, { publishedOn: { $lt: now } }) },
    }),
    definePlugin({
      name: 'waiting-plan',
      // @ts-expect-error a hook that makes a plan cannot wait
      hooks: { beforeFind: async query => query },
    }),
    definePlugin({
      name: 'forgotten-query',
      // @ts-expect-error a hook that shapes its subject returns it
      hooks: { beforeFind: query => void where(query, { a: 1 }) },
    }),
    definePlugin({
      name: 'forgotten-write',
      // @ts-expect-error a hook that shapes its subject returns it
      hooks: { beforeWrite: write => void write.data },
    }),
    definePlugin({
      name: 'changed-write',
      hooks: {
        beforeWrite(write) {
          // @ts-expect-error what is written is replaced, never changed in place
          write.data.text = 'x'
          return write
        },
      },
    }),
    definePlugin({
      name: 'waiting-serializer',
      // @ts-expect-error showing an entry cannot wait: there are thousands
      hooks: { serialize: async entry => void entry.id },
    }),
    definePlugin({
      name: 'settings',
      config: {
        type: 'object',
        properties: {
          strict: { type: 'boolean', default: true },
          limit: { type: 'integer' },
          tone: { enum: ['plain', 'loud'] },
        },
      } as const,
      register({ config }) {
        const strict: boolean = config.strict
        // @ts-expect-error a setting without a default may be missing
        const limit: number = config.limit
        // @ts-expect-error a setting has the type of its schema
        const wrong: string = config.strict
        // @ts-expect-error a setting is one of its words
        const shrill = config.tone === 'shrill'
        // @ts-expect-error there is no such setting
        const misspelt = config.strcit
        // @ts-expect-error settings are not changed
        config.strict = false
        return { strict, limit, wrong, shrill, misspelt }
      },
    }),
    definePlugin({
      name: 'service',
      register: () => ({ count: 1 }),
      // @ts-expect-error the service is what `register` returns
      authenticate: (_, service) => void service.nothing,
    }),
    definePlugin({
      name: 'no-service',
      // @ts-expect-error without `register` there is no service
      authenticate: (_, service) => void service.count,
    }),
    definePlugin({
      name: 'needed-service',
      uses: [tones],
      register({ service }) {
        const shout: string = service(tones).shout('a')
        // @ts-expect-error the service of another plugin has the type that it has there
        service(tones).whisper('a')
        return shout
      },
    }),
    definePlugin({
      name: 'unknown-part',
      // @ts-expect-error a plugin has no such part
      hoks: {},
    }),
    definePlugin({
      name: 'bare-function',
      // @ts-expect-error a parameter is an object with `read`
      params: { tone: (raw: unknown) => String(raw) },
    }),
    definePlugin({
      name: 'needs-names',
      // @ts-expect-error other plugins are values, not names
      uses: ['tones'],
    }),
    definePlugin({
      name: 'caller-without-scope',
      // @ts-expect-error callers that share a plan say so with their scope
      authenticate: () => ({ can: () => true }),
    }),
    definePlugin({
      name: 'callers-known-after-others',
      // @ts-expect-error callers are known before all others, or in the order of the plugins
      authenticate: { before: 'users-permissions', run: () => undefined },
    }),
    definePlugin({
      name: 'route-without-action',
      // @ts-expect-error a route says which action it asks for, or null
      routes: [{ method: 'GET', path: '/x', run: () => 1 }],
    }),
    definePlugin({
      name: 'unknown-place',
      // @ts-expect-error middleware stands at one of the named places
      middleware: [{ before: 'answer', run: () => async () => undefined }],
    }),
  ]

  const lateCaller = late(caller => caller.id)
  const ownCaller = late((caller: Caller & { team: number }) => caller.team)
  // @ts-expect-error a caller has no such thing unless the plugin that makes callers says so
  const unknownLate = late(caller => caller.team)
  assert.ok(promises.length > 0 && lateCaller && ownCaller && unknownLate)
})
