#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { sentenceOf } from './sentence.js'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

// Each command loads what it needs itself: help comes at once, and the process that watches over workers stays small.
const program = new Command('stele')
  .description('A content REST server: a small kernel, and everything else a plugin.')
  .version(version)
  .showHelpAfterError()

program
  .command('start')
  .description('serve an app: its content types, its config, its database')
  .option('--app <dir>', 'the folder of the app', '.')
  .option('--port <number>', 'the port to listen on, in place of the configured one', readPort)
  .option(
    '--workers <number>',
    'how many processes share the port: a number, or auto for one a CPU (STELE_WORKERS, or 1)',
  )
  .action(async options => (await import('./start.js')).start(options))

program
  .command('init')
  .description('make a new app: a folder with a content type, settings and secrets, that answers once it is started')
  .argument('<dir>', 'the folder, new or empty')
  .addOption(
    new Option('--database <engine>', 'where it keeps its content')
      .choices(['sqlite', 'mysql', 'postgres'])
      .default('sqlite'),
  )
  .action(async (folder, options) => (await import('./init.js')).init(folder, options, version))

program
  .command('export')
  .description(
    'write the whole content of an app into one archive: entries with their relations, languages and drafts, settings, and files. It is as secret as the database: private attributes are in it, and hashes of passwords',
  )
  .argument('<file>', '<name>.tar, or <name>.tar.gz to be packed')
  .option('--app <dir>', 'the folder of the app', '.')
  .option('--with-accounts', 'also accounts, what they may do, tokens, and how people sign in: hashes and secrets')
  .option('--force', 'write over a file of this name')
  .option('--json', 'the summary as JSON, for programs')
  .action(async (file, options) => (await import('./export.js')).exportTo(file, options, version))

program
  .command('import')
  .description(
    'read the content of an archive into the database of an app, whatever engine it came from. An import that was stopped goes on when the same command is given again',
  )
  .argument('<file>', 'what stele export has written')
  .option('--app <dir>', 'the folder of the app', '.')
  .option('--replace', 'remove the content that is there, as far as the archive brings its own')
  .option('--yes', 'do not ask before that')
  .option('--ignore-unknown', 'leave out what the content types of the app have no place for')
  .option('--json', 'the summary as JSON, for programs')
  .action(async (file, options) => (await import('./import.js')).importFrom(file, options))

listing(
  'plan',
  'show what stands between content types and database, with the SQL, and change nothing; ends with 2 where there is something to do',
).action(async options => (await import('./plan.js')).plan(options))

program
  .command('apply')
  .description(
    'make the database what the content types ask for: additions, and after asking renames (which keep the data), changes of types and removals. Stop servers of the app before renames and removals',
  )
  .option('--app <dir>', 'the folder of the app', '.')
  .option('--only <groups>', 'some of renames, types, additions, removals, strapi, with commas between them')
  .option('--yes', 'do not ask before')
  .option('--json', 'what was done as JSON, for programs')
  .action(async options => (await import('./apply.js')).apply(options))

listing(
  'doctor',
  'look at the database and the project, and say what is wrong and what to do about it; ends with 1 where something is',
)
  .option('--fix', 'mend what can be mended without losing anything, and add to the database what a start adds')
  .action(async options => (await import('./doctor.js')).doctor(options))

listing('routes', 'list what answers where, the right that it asks for, and whether visitors have it').action(
  async options => (await import('./route-list.js')).listRoutes(options),
)
listing('plugins', 'list the plugins: which are on, why, and what each adds').action(async options =>
  (await import('./plugin-list.js')).listPlugins(options),
)
listing('types', 'list the content types, and what of their files is not served, and why')
  .option('--count', 'count the entries of each')
  .action(async options => (await import('./type-list.js')).listTypes(options))
listing('commands', 'list the commands that the plugins of an app add: stele <command>').action(async options =>
  (await import('./plugin-command.js')).listPluginCommands(options),
)

/** A command that looks at an app and changes nothing. */
function listing(name: string, describe: string): Command {
  const command = program.command(name).description(describe)
  return command.option('--app <dir>', 'the folder of the app', '.').option('--json', 'as JSON, for programs')
}

try {
  const [first = ''] = process.argv.slice(2)
  const isOwn = first === '' || first.startsWith('-') || first === 'help'
  if (isOwn || program.commands.some(command => command.name() === first)) await program.parseAsync()
  else await (await import('./plugin-command.js')).runPluginCommand(process.argv.slice(2))
} catch (error) {
  const sentence = sentenceOf(error)
  if (sentence === undefined) throw error
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
  // The channel to the process that watches over it would keep a worker alive.
  if (process.connected) process.exit()
}

function readPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('a port is a number from 0 to 65535')
  return port
}
