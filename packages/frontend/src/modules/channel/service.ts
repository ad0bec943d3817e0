import {
  channelRoutes,
  type Channel,
  type ChannelAddBody,
  type ChannelListItem,
  type ChannelPageBody,
  type ChannelTest,
  type ChannelUpdateBody,
  type Page,
} from '@netaclaw/contracts';
import { call } from '../../request.js';

export const pageOfChannels = (
  body: ChannelPageBody,
  signal: AbortSignal,
): Promise<Page<Channel>> => call(channelRoutes.page, { body, signal });

export const listOfChannels = (signal: AbortSignal): Promise<ChannelListItem[]> =>
  call(channelRoutes.list, { body: {}, signal });

export const channelInfo = (id: number): Promise<Channel> =>
  call(channelRoutes.info, { query: { id } });

export const addChannel = (body: ChannelAddBody): Promise<Channel> =>
  call(channelRoutes.add, { body });

export const updateChannel = (body: ChannelUpdateBody): Promise<Channel> =>
  call(channelRoutes.update, { body });

export const deleteChannel = (id: number): Promise<{ deleted: number }> =>
  call(channelRoutes.delete, { body: { ids: [id] } });

/** One small call to the model behind a channel. */
export const testChannel = (id: number, signal: AbortSignal): Promise<ChannelTest> =>
  call(channelRoutes.test, { body: { id }, signal });
