/** The plugin that runs the code of a project. */
export const codePlugin = 'strapi-code'
