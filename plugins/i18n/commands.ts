import { BootError, type Command, type CommandCall, RequestError } from '../../core/index.js'
import type { I18n } from './index.js'

/** `stele locale ...`: the locales of the app, from the terminal. */
export const commands: readonly Command<I18n>[] = [
  command('list', 'list the locales', ({ table }, { locales }) =>
    table(locales.list.map(({ id, code, name, isDefault }) => ({ id, code, name, default: isDefault }))),
  ),
  {
    ...command('add', 'add a locale', async ({ args: [code], options, print }, { locales }) => {
      const added = await locales.add(code, options.name)
      print(`added ${added.name}`)
    }),
    arguments: [{ name: 'code', describe: 'such as en, pt-BR or zh-Hans', required: true }],
    options: [{ flags: '--name <name>', describe: 'the name to show; its English name by default' }],
  },
  {
    ...command('remove', 'remove a locale', async ({ args: [code], options, print }, { locales }) => {
      const locale = find(code, locales)
      await locales.remove(locale, options.entries)
      print(`removed ${locale.name}`)
    }),
    arguments: [{ name: 'code', describe: 'the code of the locale', required: true }],
    options: [
      {
        flags: '--entries <what>',
        describe: 'what to do with its entries: delete or keep them',
        choices: ['delete', 'keep'],
      },
    ],
  },
  {
    ...command('default', 'make a locale the default one', async ({ args: [code], print }, { locales }) => {
      const { name } = await locales.setDefault(find(code, locales).code)
      print(`${name} is the default locale`)
    }),
    arguments: [{ name: 'code', describe: 'the code of the locale', required: true }],
  },
]

function find(code: string | undefined, locales: I18n['locales']) {
  if (!locales.has(code)) throw new BootError(`"${code}" is not a locale; there are ${locales.codes.join(', ')}`)
  return locales.get(code)
}

/** A refusal is printed as a sentence, as a request would get it. */
function command(name: string, describe: string, run: (call: CommandCall, service: I18n) => unknown): Command<I18n> {
  return {
    name: `locale ${name}`,
    describe,
    run: async (call, service) => {
      try {
        await run(call, service)
      } catch (error) {
        throw error instanceof RequestError ? new BootError(error.message, { cause: error }) : error
      }
    },
  }
}
