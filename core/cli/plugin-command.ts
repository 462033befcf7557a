import { BootError } from '../errors.js'
import { open } from './start.js'

/** Runs a command that a plugin of the app brings; without a name it lists what there is. */
export async function runPluginCommand(
  name: string | undefined,
  args: readonly string[],
  options: { readonly app: string },
): Promise<void> {
  const app = await open(options, 'warn')
  try {
    const command = app.commands.find(known => known.name === name)
    if (!command && name !== undefined) {
      const known = app.commands.map(one => one.name).join(', ') || 'none'
      throw new BootError(`no plugin of this app has the command "${name}"; there are: ${known}`)
    }
    if (command) await command.run(args)
    else for (const { name, describe } of app.commands) process.stdout.write(`${name}  ${describe}\n`)
  } finally {
    await app.close()
  }
}
