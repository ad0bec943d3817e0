import {
  ChatDotRound,
  Clock,
  Connection,
  Cpu,
  DataLine,
  Document,
  List,
  MagicStick,
  Monitor,
  Operation,
  Setting,
  SetUp,
  UserFilled,
} from '@element-plus/icons-vue';
import type { Component } from 'vue';
import type { MenuKey } from '../module.js';

export const menuIcons: Record<MenuKey, Component> = {
  overview: DataLine,
  agents: Cpu,
  crews: UserFilled,
  tools: SetUp,
  skills: MagicStick,
  tasks: List,
  schedules: Clock,
  playground: ChatDotRound,
  runs: Operation,
  sandboxes: Monitor,
  channels: Connection,
  audit: Document,
  settings: Setting,
};
