import { replay } from './support/replay.js'

replay('broken', {
  refusals: {
    'bootstrap-throws': /bootstrap of the project's code failed: src\/index\.js, line 1: bootstrap failed/,
    'config-throws': /config\/custom\.js, line 1: env\.nope is not a function/,
    'controller-empty':
      /src\/api\/other\/routes\/other\.js: .*GET \/others: Handler not found "api::other\.other\.find"/,
    'controller-missing': /src\/api\/other\/routes\/01\.js: .*GET \/nobody: /,
    'extension-returns-nothing': /src\/extensions\/users-permissions\/strapi-server/,
    'file-missing': /src\/api\/other\/services\/other\.js, line 3: there is no file \.\.\/helpers\/not-there/,
    'global-middleware-missing': /config\/middlewares.*: Middleware global::not-there not found/,
    'handler-missing': /src\/api\/other\/routes\/01\.js: .*Handler not found "other\.count"/,
    'lifecycles-unknown': /src\/api\/other\/content-types\/other\/lifecycles\.js: beforeEverything is no event/,
    'method-invalid': /src\/api\/other\/routes\/01\.js: .*GET, POST, PUT, PATCH, DELETE, ALL/,
    'middleware-missing': /src\/api\/other\/routes\/01\.js: .*Middleware api::other\.not-there not found/,
    'package-missing':
      /src\/api\/other\/controllers\/other\.js, line 3: the package "package-that-is-not-installed" is not installed; run npm install/,
    'policy-missing': /src\/api\/other\/routes\/01\.js: .*Could not find policy "global::not-there"/,
    'register-db': /register of the project's code failed: src\/index\.js, line 1: .*from bootstrap on/,
    'register-throws': /register of the project's code failed: src\/index\.js, line 1: .*reading 'x'/,
    syntax: /src\/api\/other\/controllers\/other\.js, line 5: Unexpected token ';'/,
    'throws-at-load': /src\/api\/other\/services\/other\.js, line 3: Missing SOME_SERVICE_URL/,
    'unknown-type': /src\/api\/other\/.*there is no type "api::nothing\.nothing"/,
  },
})
