import '../zod-setup.js';
