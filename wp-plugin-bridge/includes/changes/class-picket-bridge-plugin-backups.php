<?php
/**
 * Copies of plugins that were updated.
 *
 * @package PicketBridge
 */

/**
 * What is needed to take back the last change of each plugin: the copy of its folder after an update, for a day, and that it was
 * active after a deactivation. A copy is the code that was vulnerable, so its folder has a random name, and Apache sends nothing of it.
 */
final class Picket_Bridge_Plugin_Backups {

	const OPTION = 'picket_bridge_plugin_backups';

	/**
	 * Below `wp-content`.
	 */
	const FOLDER = 'picket-backups';

	const KEPT_S    = 86400;
	const SLUGS_MAX = 50;

	/**
	 * Returns the folder of a copy.
	 *
	 * @param string $name Of 32 hexadecimal characters.
	 */
	public static function folder( string $name ): string {
		return WP_CONTENT_DIR . '/' . self::FOLDER . '/' . $name;
	}

	/**
	 * Copies a folder. Returns what failed, or an empty text.
	 *
	 * @param string $from The path.
	 * @param string $name Of the copy.
	 */
	public static function copy( string $from, string $name ): string {
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- WP_Filesystem may ask for FTP passwords.
		$all = WP_CONTENT_DIR . '/' . self::FOLDER;
		if ( ! is_dir( $all ) && ! @mkdir( $all, 0755 ) ) {
			return 'The folder ' . Picket_Bridge_File::shown( $all ) . ' cannot be created.';
		}
		$is_closed = false !== @file_put_contents( "$all/.htaccess", "Require all denied\n" ) && false !== @file_put_contents( "$all/index.php", "<?php\n" );
		if ( ! $is_closed || ! @mkdir( self::folder( $name ), 0755 ) ) {
			return 'The folder ' . Picket_Bridge_File::shown( $all ) . ' cannot be written.';
		}
		// phpcs:enable
		return Picket_Bridge_Folder::copy( $from, self::folder( $name ) . '/' . basename( $from ) );
	}

	/**
	 * Returns how the last change of a plugin is taken back; null if it cannot be.
	 *
	 * @param string $slug Of the plugin.
	 * @return array{job: string, kind: string, file: string, backup: string, at: int}|null
	 */
	public static function of( string $slug ): ?array {
		return self::all()[ $slug ] ?? null;
	}

	/**
	 * Remembers how a change is taken back, instead of the one before.
	 *
	 * @param string $slug Of the plugin.
	 * @param array  $kept As `of` returns it.
	 */
	public static function keep( string $slug, array $kept ): void {
		$all = self::all();
		if ( isset( $all[ $slug ] ) ) {
			self::forget( $all[ $slug ] );
			unset( $all[ $slug ] );
		}
		$all[ $slug ] = $kept;
		while ( count( $all ) > self::SLUGS_MAX ) {
			self::forget( (array) array_shift( $all ) );
		}
		update_option( self::OPTION, $all, false );
	}

	/**
	 * Forgets what was kept by a job that is put back, and the copy that was used for it.
	 *
	 * @param string $job    The id of the job.
	 * @param string $backup The name of the copy; an empty text without one.
	 */
	public static function drop( string $job, string $backup ): void {
		$is_other = static function ( array $kept ) use ( $job, $backup ): bool {
			return $kept['job'] !== $job && ( '' === $backup || $kept['backup'] !== $backup );
		};
		self::save( array_filter( self::all(), $is_other ) );
		self::forget( array( 'backup' => $backup ) );
		self::remove_empty();
	}

	/**
	 * Deletes copies that are older than a day, and what a process that was killed has left of one.
	 */
	public static function sweep(): void {
		if ( false !== get_option( Picket_Bridge_Plugin_Record::OPTION ) ) {
			// A folder could not be put back, and its copy is all that is left of it.
			return;
		}
		$fresh = array();
		$names = array( '.htaccess', 'index.php' );
		foreach ( self::all() as $slug => $kept ) {
			if ( '' === $kept['backup'] || abs( time() - $kept['at'] ) <= self::KEPT_S ) {
				$fresh[ $slug ] = $kept;
				$names[]        = $kept['backup'];
			}
		}
		self::save( $fresh );
		$folder = WP_CONTENT_DIR . '/' . self::FOLDER;
		foreach ( is_dir( $folder ) ? array_diff( Picket_Bridge_Folder::entries( $folder ), $names ) : array() as $name ) {
			Picket_Bridge_Folder::delete( "$folder/$name" );
		}
		self::remove_empty();
	}

	/**
	 * Deletes all copies. Updates and deactivations stay.
	 */
	public static function delete_all(): void {
		Picket_Bridge_Folder::delete( WP_CONTENT_DIR . '/' . self::FOLDER );
		delete_option( self::OPTION );
	}

	/**
	 * Deletes a copy.
	 *
	 * @param array $kept As `of` returns it.
	 */
	private static function forget( array $kept ): void {
		if ( 1 === preg_match( '/^[0-9a-f]{32}$/', (string) ( $kept['backup'] ?? '' ) ) ) {
			Picket_Bridge_Folder::delete( self::folder( $kept['backup'] ) );
		}
	}

	/**
	 * Returns what is kept, by slug.
	 */
	private static function all(): array {
		$all = get_option( self::OPTION );
		return is_array( $all ) ? $all : array();
	}

	/**
	 * Stores what is kept.
	 *
	 * @param array $all By slug.
	 */
	private static function save( array $all ): void {
		if ( array() === $all ) {
			delete_option( self::OPTION );
		} else {
			update_option( self::OPTION, $all, false );
		}
	}

	/**
	 * Removes the folder of the copies when none is left.
	 */
	private static function remove_empty(): void {
		$folder = WP_CONTENT_DIR . '/' . self::FOLDER;
		if ( is_dir( $folder ) && array() === array_diff( Picket_Bridge_Folder::entries( $folder ), array( '.htaccess', 'index.php' ) ) ) {
			Picket_Bridge_Folder::delete( $folder );
		}
	}
}
