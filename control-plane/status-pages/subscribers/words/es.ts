import type { SubscriptionWords } from './words.js';

export const es: SubscriptionWords = {
  form: {
    title: 'Avisos por correo',
    label: 'Correo electrónico',
    button: 'Suscribirse',
    choose: 'Elegir sistemas',
    components: 'Solo sobre estos sistemas',
    help: 'Si no elige ninguno, recibe avisos de todos los sistemas.',
    wrong: 'Introduzca una dirección de correo válida.',
  },
  asked: {
    title: 'Revise su bandeja de entrada',
    text: 'Si esta dirección aún no recibe estos avisos, le llegará un correo con un enlace. Ábralo para confirmar la dirección.',
  },
  tooMany: { title: 'Demasiadas solicitudes', text: 'Inténtelo de nuevo mañana.' },
  confirm: {
    title: 'Confirme su suscripción',
    text: (page, address) => `¿Enviar los avisos de ${page} a ${address}?`,
    button: 'Confirmar',
  },
  confirmed: {
    title: 'Suscripción confirmada',
    text: (page, address) =>
      `${address} recibe desde ahora los avisos de ${page}. Cada correo tiene un enlace para cancelar la suscripción.`,
  },
  full: {
    title: 'Esta página no admite más suscriptores',
    text: 'Su propietario ha alcanzado el número máximo de suscriptores.',
  },
  stop: {
    title: '¿Cancelar la suscripción?',
    text: (page, address) => `${address} dejará de recibir los avisos de ${page}.`,
    button: 'Cancelar suscripción',
  },
  stopped: { title: 'Suscripción cancelada', text: 'Esta dirección ya no recibe avisos de esta página.' },
  refused: {
    title: 'Este enlace no funciona',
    text: 'Está incompleto o ha caducado. Suscríbase de nuevo en la página de estado.',
  },
  unavailable: { title: 'Esta página no está disponible', text: 'Vuelva a cargarla dentro de unos segundos.' },
  mail: {
    confirmTitle: (page) => `Confirme su suscripción a ${page}`,
    confirmText: (page, until) =>
      `Alguien ha introducido esta dirección en la página de estado de ${page} para recibir sus avisos por correo. El enlace es válido hasta ${until}.`,
    confirmIgnore: 'Si no ha sido usted, ignore este correo. No se le envía nada sin su confirmación.',
    confirmAction: 'Abrir la página para confirmar',
    confirmWhy: (page) => `Recibe este correo porque esta dirección se introdujo en la página de estado de ${page}.`,
    maintenancePlanned: 'Mantenimiento previsto',
    maintenanceStarted: 'El mantenimiento ha comenzado',
    maintenanceEnded: 'El mantenimiento ha terminado',
    state: 'Estado',
    affected: 'Sistemas afectados',
    time: 'Hora',
    open: 'Abrir página de estado',
    more: 'La página de estado tiene el texto completo.',
    why: (page) => `Recibe este correo porque está suscrito a la página de estado de ${page}.`,
    stop: 'Cancelar suscripción',
    copy: 'O copie esta dirección en su navegador:',
  },
};
