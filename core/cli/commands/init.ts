import { defineCommand } from '../command.js'
import type { InitOptions } from '../init/init.js'

export const command = defineCommand<InitOptions>({
  says: 'make a new app: a folder with a content type, settings and secrets, that answers once it is started',
  place: 3,
  argument: { name: 'dir', says: 'the folder, new or empty' },
  options: [
    {
      flags: '--database <engine>',
      says: 'where it keeps its content',
      choices: ['sqlite', 'mysql', 'mariadb', 'postgres'],
      default: 'sqlite',
    },
  ],
  run: async ({ argument, options, io }) => (await import('../init/init.js')).init(argument, options, io),
})
