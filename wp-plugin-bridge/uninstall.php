<?php
/**
 * Removes what deactivation has kept.
 *
 * @package PicketBridge
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/load.php';

Picket_Bridge_Jobs::undo_all();
Picket_Bridge_Undo_File::remove();
Picket_Bridge_Connection::forget();
