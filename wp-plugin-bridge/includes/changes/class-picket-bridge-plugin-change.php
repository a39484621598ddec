<?php
/**
 * Changes of other plugins.
 *
 * @package PicketBridge
 */

/**
 * Updates and deactivates a plugin, and takes that back, as a person has agreed to in Picket. A change after which a page of the
 * site no longer answers as before is put back.
 */
final class Picket_Bridge_Plugin_Change {

	const KINDS  = array( 'update_plugin', 'deactivate_plugin', 'restore_plugin' );
	const TIME_S = 300;

	/**
	 * Does a job.
	 *
	 * @param string $job  The id of the job.
	 * @param string $kind One of KINDS.
	 * @param string $slug Of the plugin. It is compared with those of the installed plugins, and is part of no path.
	 * @return array{outcome: string, error: string}
	 */
	public static function run( string $job, string $kind, string $slug ): array {
		if ( function_exists( 'set_time_limit' ) ) {
			// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged, Squiz.PHP.DiscouragedFunctions -- A host may forbid it.
			@set_time_limit( self::TIME_S );
		}
		// What an updater or a plugin prints would be in the answer to Picket.
		ob_start();
		$result = self::done( $job, $kind, $slug );
		ob_end_clean();
		return $result;
	}

	/**
	 * Returns the result of a job that was interrupted, after putting back what it had begun.
	 *
	 * @param array $job As stored while it runs.
	 * @return array{outcome: string, error: string}
	 */
	public static function interrupted( array $job ): array {
		$since   = Picket_Bridge_Plugin_Record::since();
		$problem = Picket_Bridge_Plugin_Record::put_back();
		if ( '' !== $problem ) {
			return self::result( 'failed', $problem );
		}
		$kept    = Picket_Bridge_Plugin_Backups::of( (string) $job['plugin'] );
		$is_done = 'restore_plugin' === $job['kind'] ? null === $kept : ( $kept['job'] ?? '' ) === $job['id'];
		return $is_done
			? self::result( 'applied', 'The job was interrupted at its end.' . self::maintenance( $since ) )
			: self::result( 'rolled_back', 'The job was interrupted, so it was undone.' . self::maintenance( $since ) );
	}

	/**
	 * Deletes copies. What was updated or deactivated stays; what is being changed by a process that was killed is put back.
	 */
	public static function forget(): void {
		Picket_Bridge_Plugin_Record::take_over();
		if ( Picket_Bridge_Plugin_Record::has_failed() ) {
			// The copies stay: one of them may be all that is left of the plugin.
			delete_option( Picket_Bridge_Plugin_Record::OPTION );
			return;
		}
		if ( false === get_option( Picket_Bridge_Plugin_Record::OPTION ) ) {
			Picket_Bridge_Plugin_Backups::delete_all();
		}
	}

	/**
	 * Does a job.
	 *
	 * @param string $job  The id of the job.
	 * @param string $kind One of KINDS.
	 * @param string $slug Of the plugin.
	 * @return array{outcome: string, error: string}
	 */
	private static function done( string $job, string $kind, string $slug ): array {
		require_once ABSPATH . 'wp-admin/includes/admin.php';
		$file    = self::file_of( $slug );
		$problem = is_array( $file ) ? $file[0] : self::obstacle( $file );
		if ( '' === $problem && 'restore_plugin' !== $kind && Picket_Bridge_Safe_Mode::is_on() ) {
			$problem = 'Safe mode is on: wp-content/picket-safe-mode exists, or PICKET_SAFE_MODE is set in wp-config.php.';
		}
		$is_failed = Picket_Bridge_Plugin_Record::has_failed();
		if ( '' === $problem && $is_failed && ( 'restore_plugin' !== $kind || Picket_Bridge_Plugin_Record::file() !== $file ) ) {
			$problem = 'An earlier change of a plugin could not be put back. Look at the folder of the plugins, and put it right by hand.';
		}
		if ( '' === $problem ) {
			// Of an earlier change that was interrupted.
			$problem = Picket_Bridge_Plugin_Record::put_back();
		}
		if ( '' !== $problem ) {
			return self::result( 'failed', "$problem Nothing was changed." );
		}
		if ( 'restore_plugin' === $kind && $is_failed ) {
			return self::result( 'applied', 'The change that could not be put back before is put back.' );
		}
		if ( 'restore_plugin' === $kind ) {
			return self::restored( $job, $file, $slug );
		}
		$before  = Picket_Bridge_Pages::look();
		$problem = Picket_Bridge_Pages::obstacle( $before );
		if ( '' === $problem && Picket_Bridge_Connection::is_gone() ) {
			$problem = 'The plugin of Picket was deactivated before the change.';
		}
		if ( '' === $problem ) {
			return 'update_plugin' === $kind
				? Picket_Bridge_Plugin_Update::apply( $job, $file, $slug, $before )
				: self::deactivated( $job, $file, $slug, $before );
		}
		return self::result( 'failed', "$problem Nothing was changed." );
	}

	/**
	 * Returns the main file of the only plugin with a slug, or an array with the reason why there is none.
	 *
	 * @param string $slug In lower case.
	 * @return string|array{0: string}
	 */
	private static function file_of( string $slug ) {
		$files = Picket_Bridge_Inventory::files_of( $slug );
		if ( 1 !== count( $files ) ) {
			return array( array() === $files ? 'This site has no such plugin.' : 'Several plugins of this site are in the same folder.' );
		}
		return $files[0];
	}

	/**
	 * Returns why no plugin can be changed here, or not this one.
	 *
	 * @param string $file The main file of the plugin.
	 */
	private static function obstacle( string $file ): string {
		if ( is_multisite() ) {
			return 'The site is part of a multisite network, and the change would concern all sites of it.';
		}
		if ( plugin_basename( PICKET_BRIDGE_FILE ) === $file ) {
			return 'The plugin of Picket cannot change itself while it runs. Use the page of the plugins.';
		}
		return '';
	}

	/**
	 * Deactivates a plugin.
	 *
	 * @param string   $job    The id of the job.
	 * @param string   $file   The main file of the plugin.
	 * @param string   $slug   Of the plugin.
	 * @param string[] $before How the pages answered.
	 * @return array{outcome: string, error: string}
	 */
	private static function deactivated( string $job, string $file, string $slug, array $before ): array {
		if ( ! is_plugin_active( $file ) ) {
			return self::result( 'applied', 'The plugin was not active.' );
		}
		Picket_Bridge_Plugin_Record::begin( $job, $file, '' );
		deactivate_plugins( $file );
		$kept = array(
			'job'    => $job,
			'kind'   => 'deactivate_plugin',
			'file'   => $file,
			'backup' => '',
			'order'  => Picket_Bridge_Plugin_Record::order(),
			'at'     => time(),
		);
		return self::tested( $before, $slug, $kept, false, 'The plugin is inactive, and the pages answer as before.' );
	}

	/**
	 * Tests a change, and keeps it or puts it back.
	 *
	 * @param string[] $before    How the pages answered.
	 * @param string   $slug      Of the plugin.
	 * @param array    $kept      How the change is taken back later.
	 * @param bool     $is_active Whether the plugin is active after it.
	 * @param string   $done      What was done.
	 * @return array{outcome: string, error: string}
	 */
	public static function tested( array $before, string $slug, array $kept, bool $is_active, string $done ): array {
		// A site that is closed by it answers 503.
		$note    = self::maintenance( Picket_Bridge_Plugin_Record::since() );
		$problem = Picket_Bridge_Pages::problem( $before, Picket_Bridge_Pages::look() );
		if ( '' === $problem && Picket_Bridge_Connection::is_gone() ) {
			$problem = 'the plugin of Picket was deactivated during the change';
		}
		if ( '' !== $problem ) {
			return self::rolled_back( $problem, $note );
		}
		Picket_Bridge_Plugin_Backups::keep( $slug, $kept );
		Picket_Bridge_Plugin_Record::finish( $is_active );
		return self::result( 'applied', $done . $note );
	}

	/**
	 * Puts a change back.
	 *
	 * @param string $reason Why.
	 * @param string $note   What else is to be said.
	 * @return array{outcome: string, error: string}
	 */
	public static function rolled_back( string $reason, string $note = '' ): array {
		$note   .= self::maintenance( Picket_Bridge_Plugin_Record::since() );
		$problem = Picket_Bridge_Plugin_Record::put_back();
		return '' === $problem
			? self::result( 'rolled_back', "The plugin is as before, because after the change $reason.$note" )
			: self::result( 'failed', "After the change $reason. $problem$note" );
	}

	/**
	 * Takes back the last change of a plugin.
	 *
	 * @param string $job  The id of the job.
	 * @param string $file The main file of the plugin.
	 * @param string $slug Of the plugin.
	 * @return array{outcome: string, error: string}
	 */
	private static function restored( string $job, string $file, string $slug ): array {
		$kept = Picket_Bridge_Plugin_Backups::of( $slug );
		if ( null === $kept || $kept['file'] !== $file ) {
			return self::result( 'failed', 'There is nothing to put back: a copy is kept for one day. Nothing was changed.' );
		}
		if ( 'update_plugin' === $kept['kind'] ) {
			if ( ! is_dir( Picket_Bridge_Plugin_Backups::folder( $kept['backup'] ) . '/' . dirname( $file ) ) ) {
				return self::result( 'failed', 'The copy from before the update is missing. Nothing was changed.' );
			}
			$version = Picket_Bridge_Plugin_Update::version( $file );
			if ( isset( $kept['version'] ) && '' !== $version && $version !== $kept['version'] ) {
				return self::result( 'failed', "Somebody has installed version $version since the update. Nothing was changed." );
			}
			Picket_Bridge_Plugin_Record::begin( $job, $file, $kept['backup'] );
			Picket_Bridge_Plugin_Record::copied();
			$problem = Picket_Bridge_Plugin_Record::put_back();
			return '' === $problem ? self::result( 'applied', 'The version from before the update is back.' ) : self::result( 'failed', $problem );
		}
		$before = Picket_Bridge_Pages::look();
		Picket_Bridge_Plugin_Record::begin( $job, $file, '' );
		$activated = activate_plugin( $file );
		if ( is_wp_error( $activated ) ) {
			return self::rolled_back( 'WordPress said: ' . $activated->get_error_message() );
		}
		$problem = Picket_Bridge_Pages::problem( $before, Picket_Bridge_Pages::look() );
		if ( '' !== $problem ) {
			return self::rolled_back( $problem );
		}
		Picket_Bridge_Plugin_Record::finish( true, $kept['order'] ?? null );
		Picket_Bridge_Plugin_Backups::drop( $kept['job'], '' );
		return self::result( 'applied', 'The plugin is active again, and the pages answer as before.' );
	}

	/**
	 * Removes the file with which WordPress closes a site during an update, if it was made since then. Returns what is to be said of it.
	 *
	 * @param int $since Seconds since the epoch.
	 */
	private static function maintenance( int $since ): string {
		$path = ABSPATH . '.maintenance';
		clearstatcache( true, $path );
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- WP_Filesystem may ask for FTP passwords.
		if ( ! is_file( $path ) ) {
			return '';
		}
		$made = (int) @filemtime( $path );
		if ( $made >= $since && @unlink( $path ) ) {
			return ' The update had left the file .maintenance, which closes the site. It was removed.';
		}
		// phpcs:enable
		return ' An earlier update has left the file .maintenance of ' . gmdate( 'Y-m-d', $made ) . ' in the folder of WordPress. Delete it.';
	}

	/**
	 * Returns the result of a job.
	 *
	 * @param string $outcome One of applied, failed and rolled_back.
	 * @param string $error   What failed, or what is to be said of what was done.
	 * @return array{outcome: string, error: string}
	 */
	public static function result( string $outcome, string $error ): array {
		return array(
			'outcome' => $outcome,
			'error'   => $error,
		);
	}
}
