import { afterAll, beforeAll, describe } from 'vitest';
import { BayStandIn, BAY_KEY } from '../../../../../test/sandbox_services/bay.js';
import { BoxliteStandIn } from '../../../../../test/sandbox_services/boxlite.js';
import { hostOf } from '../../../../../test/sandbox_services/hosts.js';
import { ShipyardStandIn, SHIPYARD_TOKEN } from '../../../../../test/sandbox_services/shipyard.js';
import { bootRequest, describeBooter } from '../../../../../test/booter_conformance.js';
import boxliteDriver from './boxlite_driver.js';
import { createHost as createBoxlite } from './boxlite.js';
import { createHost as createShipyard } from './shipyard.js';
import shipyardDriver from './shipyard_driver.js';
import { createHost as createNeo } from './shipyard_neo.js';
import neoDriver from './shipyard_neo_driver.js';

const services = [
  { driver: neoDriver, create: createNeo, standIn: new BayStandIn(), key: BAY_KEY },
  {
    driver: shipyardDriver,
    create: createShipyard,
    standIn: new ShipyardStandIn(),
    key: SHIPYARD_TOKEN,
  },
  { driver: boxliteDriver, create: createBoxlite, standIn: new BoxliteStandIn(), key: null },
];

for (const { driver, create, standIn, key } of services) {
  describe(`against a stand-in of ${driver.kind}`, () => {
    beforeAll(async () => void (await standIn.start()));
    afterAll(() => standIn.close());
    describeBooter(`${driver.kind} booter`, (session) =>
      hostOf(driver, create, { url: standIn.url, key }).create(bootRequest(session)),
    );
  });
}
