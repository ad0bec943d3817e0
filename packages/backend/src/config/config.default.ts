import { entities } from '../entities.js';
import { parseSettings } from '../settings.js';
import { dataSourceOptions } from '../modules/base/data/data_source.js';

/** Midway's configuration, from the environment as it is when the application boots. */
export default () => {
  const settings = parseSettings(process.env);
  return {
    settings,
    // Cookies are not used; the framework asks for a key all the same.
    keys: 'unused',
    // No port: the framework neither awaits listening nor reports a taken port. See app_module.ts.
    koa: { port: null, serverTimeout: 0 },
    bodyParser: { enable: false },
    siteFile: { enable: false },
    midwayLogger: {
      default: {
        level: 'warn',
        consoleLevel: 'warn',
        transports: { file: false, error: false },
      },
    },
    typeorm: {
      allowExecuteMigrations: true,
      dataSource: { default: dataSourceOptions(settings, entities) },
    },
  };
};
