import { channelRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, type Controller } from '../../../base/http/handler.js';
import { NetaClawChannelStoreService } from '../../service/channel/channel_store.js';
import { NetaClawModelChannelService } from '../../service/channel/model_channel.js';

/** Model channels: `/admin/netaclaw/channel`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class ChannelController implements Controller {
  @Inject() store: NetaClawChannelStoreService;
  @Inject() channels: NetaClawModelChannelService;

  readonly handlers = [
    handle(channelRoutes.page, async ({ body }) => this.store.page(body)),
    handle(channelRoutes.list, async () => this.store.list()),
    handle(channelRoutes.info, async ({ query }) => this.store.info(query.id)),
    handle(channelRoutes.add, async ({ body, actor }) => this.store.add(body, actor)),
    handle(channelRoutes.update, async ({ body, actor }) => this.store.update(body, actor)),
    handle(channelRoutes.delete, async ({ body, actor }) => ({
      deleted: await this.store.delete(body.ids, actor),
    })),
    handle(channelRoutes.test, async ({ body }) => this.channels.test(body.id)),
  ];
}
