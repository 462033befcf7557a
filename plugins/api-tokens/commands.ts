import { BootError, type Command, type CommandCall, type Issue, RequestError } from '../../core/index.js'
import { tokenTypes } from './content-types.js'
import type { FreshToken, Management } from './management.js'
import type { ApiTokens } from './service.js'

const idOrName = [{ name: 'token', describe: 'the id or the name of the token', required: true }]

export const commands: readonly Command<ApiTokens>[] = [
  {
    name: 'token create',
    describe: 'create an API token and show its key once',
    arguments: [{ name: 'name', describe: 'the name of the token', required: true }],
    options: [
      { flags: '--type <type>', describe: 'what it may do', choices: tokenTypes, default: 'read-only' },
      { flags: '--lifespan <time>', describe: '7d, 30d, 90d, unlimited or milliseconds', default: 'unlimited' },
      { flags: '--actions <list>', describe: 'what a custom token may do: api::article.article.find,...' },
      { flags: '--description <text>', describe: 'what it is for' },
    ],
    run: told(async (tokens, { args: [name], options, ...call }) => {
      const { type, lifespan, description, actions } = options
      const permissions = typeof actions === 'string' ? actions.split(',').map(action => action.trim()) : undefined
      showKey(call, await tokens.create({ name, type, lifespan, description, permissions }))
    }),
  },
  {
    name: 'token list',
    describe: 'list the API tokens, without their keys',
    run: told(async (tokens, { json, table }) => {
      const all = await tokens.list()
      const brief = all.map(({ id, name, type, expiresAt, lastUsedAt, description }) => ({
        ...{ id, name, type, expires: expiresAt, 'last used': lastUsedAt, description },
      }))
      table(json ? [...all] : brief)
    }),
  },
  {
    name: 'token revoke',
    describe: 'revoke an API token: its key is no longer valid',
    arguments: idOrName,
    run: told(async (tokens, { args: [token = ''], json, print }) => {
      const gone = await tokens.revoke(await tokens.idOf(token))
      print(json ? JSON.stringify(gone) : `The token ${gone.name} is revoked.`)
    }),
  },
  {
    name: 'token regenerate',
    describe: 'replace the key of an API token and show the new one once; the old one is no longer valid',
    arguments: idOrName,
    run: told(async (tokens, { args: [token = ''], ...call }) => {
      showKey(call, await tokens.regenerate(await tokens.idOf(token)))
    }),
  },
]

function showKey({ json, print }: Pick<CommandCall, 'json' | 'print'>, token: FreshToken): void {
  const { id, name, type, expiresAt, accessKey } = token
  const until = expiresAt === null ? 'for ever' : `until ${expiresAt}`
  const text = `The token ${name} (id ${id}, ${type}) holds ${until}.\nIts key is not shown again:\n${accessKey}`
  print(json ? JSON.stringify(token) : text)
}

/** A refusal is printed as a sentence, as a request would get it. */
function told(run: (tokens: Management, call: CommandCall) => Promise<void>): Command<ApiTokens>['run'] {
  return async (call, { management }) => {
    try {
      await run(management, call)
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      const issues = (error.details?.errors ?? []) as readonly Issue[]
      throw new BootError(issues.map(sentenceOf).join('\n') || error.message, { cause: error })
    }
  }
}

/** Some complaints begin with the name of the field already. */
function sentenceOf({ path, message }: Issue): string {
  const field = path.join('.')
  return message.startsWith(field) ? message : `${field}: ${message}`
}
